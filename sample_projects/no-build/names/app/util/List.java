package app.util;

public class List {
}
