package app;

/** The Start of folder one; folder two has another class of the same full name. */
public class Start {

    public void runOne() {
    }

    static class OnlyInOne {
    }
}
