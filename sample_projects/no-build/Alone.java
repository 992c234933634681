class Alone {
    static String greet(String name) {
        return "Hello " + name;
    }
}
