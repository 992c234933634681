package shop.core;

import java.util.List;
import java.util.function.Function;

/** One cut of a longer list. Page numbers start at zero. */
public record Page<T>(List<T> items, int number, int size, int total) {

    public Page {
        items = List.copyOf(items);
    }

    static <E> Page<E> cut(List<E> all, int number, int size) {
        int from = Math.min(all.size(), number * size);
        int to = Math.min(all.size(), from + size);
        return new Page<>(all.subList(from, to), number, size, all.size());
    }

    public boolean hasNext() {
        return (number + 1) * size < total;
    }

    public <R> Page<R> map(Function<? super T, ? extends R> change) {
        return new Page<>(items.stream().<R>map(change).toList(), number, size, total);
    }
}
