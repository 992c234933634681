package unicode;

/** Capital I with dot: its lower case form has two characters in most locales. */
public class İ {

    int ı, i, I;

    void İİ() {
    }

    static class ıIiİ {
    }
}
