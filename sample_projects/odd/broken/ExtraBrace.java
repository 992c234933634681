package broken;

class ExtraBrace {

    void first() {
        }
    }

    void second() {
    }
}

class StillHere {
    int n;
}
