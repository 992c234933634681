package desk.fake;

/** A clipboard for tests; the interface it implements has the same simple name. */
public class Clipboard implements desk.Clipboard {

    private String text;

    @Override
    public void put(String text) {
        this.text = text;
    }

    @Override
    public String get() {
        return text;
    }
}
