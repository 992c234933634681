package app.util;

public class LinkedHashSet {
}
