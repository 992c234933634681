package app.util;

public class Bag {
    public static class Entry {
        public static class Key {
        }
    }
}
