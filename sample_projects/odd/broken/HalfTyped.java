package broken;

class HalfTyped {

    int n;

    void done() {
    }
}

class A extends