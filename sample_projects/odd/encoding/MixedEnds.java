package encoding;

/** * Some lines.
 */
class MixedEnds {
    // comment
    int first;
    void method() {
        first++;    }

    String block = """            one
            two
            """;
    int last;
}