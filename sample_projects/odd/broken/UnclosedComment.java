package broken;

class UnclosedComment {

    int before;

    /* This comment never ends.

    int inside;

    void method() {
    }
}
