package modern;

public @interface Limit {

    int LOWEST = 1;

    int max() default 10;

    String[] tags() default {"x", "y"};

    Kind kind() default Kind.SOFT;

    Class<? extends Number> type() default Integer.class;

    Unit unit() default @Unit(name = "piece");

    enum Kind { SOFT, HARD }

    @interface Unit {
        String name();
    }
}
