package desk;

/** Values for tests. The program has a class of the same full name. */
final class Defaults {

    static final String TEXT = "buy milk";

    private Defaults() {
    }
}
