package modern;

public record Span(int lo, int hi) implements Comparable<Span> {

    static final Span EMPTY = new Span(0, 0);

    public Span {
        if (lo > hi) {
            throw new IllegalArgumentException();
        }
    }

    public Span(int at) {
        this(at, at);
    }

    static Span point(int at) {
        return new Span(at);
    }

    @Override
    public int lo() {
        return lo;
    }

    public int compareTo(Span other) {
        return Integer.compare(lo, other.lo);
    }

    record Pair<A, B extends Comparable<B>>(A left, B... right) {
        @SafeVarargs
        Pair(A left, B... right) {
            this.left = left;
            this.right = right.clone();
        }
    }

    record None() {}
}
