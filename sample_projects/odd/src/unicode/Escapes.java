package unicode;

class \u0041scii {

    int \u0062eta, g\u0061mma;

    void d\uuuu0065lta() \u007b
    }

    // the escape at the end of this comment is a line end \u000a int hidden;

    String quoted = \u0022text\u0022, \u00e9t\u00e9;

    char backslash = '\\', notAnEscape = "\\u0041".charAt(0);

    class \ud835\udcb3 { int in\u0073ide; }
\u007d

class After { int \u0061fter; }
