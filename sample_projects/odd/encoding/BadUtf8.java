package encoding;

class BadUtf8 {

    // cut: Ã overlong: À¯ alone: € surrogate: í ½
    int one;

    /* ðŸ˜ */ int two; String t = "ÿþ"; int three;
}
