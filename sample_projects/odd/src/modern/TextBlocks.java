package modern;

class TextBlocks {

    static final String LIKE_CODE = """
            class NotAClass {
                void notAMethod() {
                }
            """;

    static final String QUOTES = """
            one " two "" three \""" /* not a comment
            // not a comment either \
            joined\s
            """, AFTER = "} }";

    String inMethod(String name) {
        return """
                interface %s {""".formatted(name);
    }

    char brace = '}', quote = '\'', doubled = '"';
}
