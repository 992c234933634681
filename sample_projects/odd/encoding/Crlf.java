package encoding;

/**
 * Some lines.
 */
class Crlf {

    // comment
    int first;

    void method() {
        first++;
    }

    String block = """
            one
            two
            """;

    int last;
}
