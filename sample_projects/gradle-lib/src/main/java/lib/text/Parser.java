package lib.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Reads values from text; small parsers are put together to larger ones.
 *
 * @param <T> what is read
 */
@FunctionalInterface
public interface Parser<T> {

    Optional<Parsed<T>> parse(CharSequence input);

    record Parsed<T>(T value, CharSequence rest) {
        <R> Parsed<R> with(R other) {
            return new Parsed<>(other, rest);
        }
    }

    static Parser<Character> character(char wanted) {
        return input -> !input.isEmpty() && input.charAt(0) == wanted
                ? Optional.of(new Parsed<>(wanted, input.subSequence(1, input.length())))
                : Optional.empty();
    }

    static <T> Parser<T> always(T value) {
        return input -> Optional.of(new Parsed<>(value, input));
    }

    @SafeVarargs
    static <T> Parser<T> firstOf(Parser<? extends T>... choices) {
        return input -> {
            for (Parser<? extends T> choice : choices) {
                Optional<? extends Parsed<? extends T>> parsed = choice.parse(input);
                if (parsed.isPresent()) {
                    return Optional.of(parsed.get().with(parsed.get().value()));
                }
            }
            return Optional.empty();
        };
    }

    default <R> Parser<R> map(Function<? super T, ? extends R> change) {
        return input -> parse(input).map(parsed -> parsed.with(change.apply(parsed.value())));
    }

    default <R> Parser<R> then(Function<? super T, ? extends Parser<R>> next) {
        return input -> parse(input).flatMap(parsed -> next.apply(parsed.value()).parse(parsed.rest()));
    }

    default <U, R> Parser<R> and(Parser<U> other, BiFunction<? super T, ? super U, ? extends R> join) {
        return then(left -> other.map(right -> join.apply(left, right)));
    }

    default Parser<List<T>> many() {
        return input -> {
            List<T> values = new ArrayList<>();
            CharSequence rest = input;
            for (var next = parse(rest); next.isPresent(); next = parse(rest)) {
                values.add(next.get().value());
                rest = next.get().rest();
            }
            return Optional.of(new Parsed<>(values, rest));
        };
    }
}
