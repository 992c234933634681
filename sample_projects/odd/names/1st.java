package names;

class First {
    int n;
}
