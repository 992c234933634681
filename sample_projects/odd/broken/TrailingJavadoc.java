package broken;

class TrailingJavadoc {

    int n;

    /** Belongs to nothing. */
}

/**
 * Belongs to nothing either.
 */
