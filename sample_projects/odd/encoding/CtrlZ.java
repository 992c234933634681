package encoding;

class CtrlZ {
    int n;
}
