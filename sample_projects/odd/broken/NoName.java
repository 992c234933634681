package broken;

class {
    int n;
}

interface 1Number {
    void f();
}

class Named {
    void () {}
    int ;
    Other() {}
}

enum { A, B }
