package modern;

/** Needs Java 21: record patterns and guards in a switch. */
class Evaluate {

    sealed interface Expr permits Num, Neg, Sum {}

    record Num(int value) implements Expr {}

    record Neg(Expr inner) implements Expr {}

    record Sum(Expr left, Expr right) implements Expr {}

    static int eval(Expr expr) {
        return switch (expr) {
            case Num(int value) when value == 0 -> 0;
            case Num(var value) -> value;
            case Neg(Neg(Expr twice)) -> eval(twice);
            case Neg(Expr inner) -> -eval(inner);
            case Sum(Num(var left), Num(var right)) -> left + right;
            case Sum sum -> eval(sum.left()) + eval(sum.right());
        };
    }

    static String name(Object any) {
        return switch (any) {
            case null -> "null";
            case String text when text.isEmpty() -> "empty";
            case Integer number -> {
                record Shown(int it) {}
                yield new Shown(number).toString();
            }
            default -> any.toString();
        };
    }
}
