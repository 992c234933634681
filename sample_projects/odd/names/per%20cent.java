package names;

class PerCent {
    int n;
}
