package broken;

class DanglingAnnotation {

    int n;

    @Deprecated
    @SuppressWarnings("unused"
}

@FunctionalInterface
