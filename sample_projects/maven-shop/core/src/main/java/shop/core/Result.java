package shop.core;

import java.util.function.Function;
import java.util.function.Supplier;

/** The outcome of something that may fail in an expected way. */
public sealed interface Result<T> permits Result.Ok, Result.Failed {

    static <T> Result<T> of(Supplier<? extends T> action) {
        try {
            return new Ok<>(action.get());
        } catch (ShopException reason) {
            return new Failed<>(reason);
        }
    }

    <R> Result<R> then(Function<? super T, Result<R>> next);

    T orElse(T fallback);

    /** It worked. */
    record Ok<T>(T value) implements Result<T> {
        @Override
        public <R> Result<R> then(Function<? super T, Result<R>> next) {
            return next.apply(value);
        }

        @Override
        public T orElse(T fallback) {
            return value;
        }
    }

    /** It did not work. */
    record Failed<T>(ShopException reason) implements Result<T> {
        @Override
        public <R> Result<R> then(Function<? super T, Result<R>> next) {
            return new Failed<>(reason);
        }

        @Override
        public T orElse(T fallback) {
            return fallback;
        }
    }
}
