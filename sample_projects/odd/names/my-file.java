package names;

class MyFile {
    int n;
}
