package app;

/** The same bytes in folder one and in folder two. */
class Twin {
    int same;
}
