package encoding;

class OddBreaks {

    // form feed  int notHere1;
    int one;

    // next line  int notHere2;
    int two;

    // line separator   int notHere3; paragraph   int notHere4;
    int three;

    /* vertical tab  and both:   */ int four;

    String text = "  "; int five;
}
