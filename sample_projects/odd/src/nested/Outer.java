package nested;
class Outer {
    interface Port { void push(); }
    static class Mid {
        class Leaf { int n; }
        enum Mode { A, B }
    }
    int n;
}
class Sibling { int n; }
