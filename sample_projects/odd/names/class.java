package names;

class ClassFile {
    int n;
}
