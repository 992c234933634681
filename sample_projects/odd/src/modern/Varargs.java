package modern;

import java.io.Serializable;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

abstract class Varargs<K extends Comparable<? super K> & Serializable, V> {

    @SafeVarargs
    static <T> List<T> listOf(T... items) {
        return List.of(items);
    }

    abstract <T extends Number & Comparable<T>> T max(Collection<? extends T> all, T[]... more);

    <A, B extends A, C extends Map<? super A, ? extends List<? extends B[]>>> Function<A, C> deep(
            Function<? super A, ? extends C> function, Comparator<? super B>... order) {
        return function::apply;
    }

    <X extends Exception> void maybe(Class<X> type) throws X {
    }

    <T> Varargs(T seed, K... keys) {
    }

    int[] old(int a[], int... b)[] {
        return new int[][] {a, b};
    }

    Map.Entry<K, ? super V>[] entries;
}
