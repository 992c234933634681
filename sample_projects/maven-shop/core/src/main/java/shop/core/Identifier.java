package shop.core;

import java.util.Objects;

/**
 * A typed key: an identifier of a product cannot be passed where one of an order is expected.
 *
 * @param <T> what the identifier stands for
 * @param type the class of that thing
 * @param value the key itself
 */
public record Identifier<T>(Class<T> type, String value) implements Comparable<Identifier<T>> {

    private static final String SEPARATOR = ":";

    public Identifier {
        Objects.requireNonNull(type, "type");
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("blank identifier of " + type.getSimpleName());
        }
    }

    public Identifier(Class<T> type, long number) {
        this(type, Long.toString(number));
    }

    public static <E> Identifier<E> of(Class<E> type, String value) {
        return new Identifier<>(type, value);
    }

    @Override
    public int compareTo(Identifier<T> other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return type.getSimpleName() + SEPARATOR + value;
    }
}
