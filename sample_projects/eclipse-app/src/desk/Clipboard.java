package desk;

/** Where copied text goes. */
public interface Clipboard {

    void put(String text);

    String get();

    default boolean isEmpty() {
        return get() == null;
    }
}
