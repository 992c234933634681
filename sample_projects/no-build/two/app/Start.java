package app;

/** The Start of folder two; folder one has another class of the same full name. */
public class Start {

    private int runs;

    public int runTwo() {
        return ++runs;
    }

    static class OnlyInTwo {
    }
}
