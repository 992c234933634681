package names;

class WithSpace {
    int n;
}
