package broken;

class DuplicateTypes {

    int n;
    String n;

    void twice() {
    }

    void twice() {
    }

    class Inner {
        int first;
    }

    class Inner {
        int second;
    }
}

class DuplicateTypes {
    int other;
}
