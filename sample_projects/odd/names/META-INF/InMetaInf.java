package names;

class InMetaInf {
    int n;
}
