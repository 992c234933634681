package app.util;

public class Map2 {
    public static class Entry {
    }
}
