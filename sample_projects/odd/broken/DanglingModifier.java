package broken;

class DanglingModifier {

    int n;

    private static final
}

public abstract
