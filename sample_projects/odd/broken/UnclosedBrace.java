package broken;

class UnclosedBrace {

    int before;

    void open() {
        if (before > 0) {
            before--;

    void next() {
    }

    class Inner {
        int n;
    }
}
