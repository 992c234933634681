package lib.text;

import java.util.Locale;
import java.util.function.UnaryOperator;

/** A change of text that may fail. */
@FunctionalInterface
public interface TextFunction<E extends Exception> {

    TextFunction<RuntimeException> UPPER = text -> text.toUpperCase(Locale.ROOT);

    TextFunction<RuntimeException> REVERSE = new TextFunction<>() {
        @Override
        public String apply(String text) {
            return new StringBuilder(text).reverse().toString();
        }
    };

    String apply(String text) throws E;

    default <F extends E> TextFunction<E> after(TextFunction<F> first) {
        return text -> apply(first.apply(text));
    }

    static <E extends Exception> UnaryOperator<String> unchecked(TextFunction<E> function) {
        return text -> {
            try {
                return function.apply(text);
            } catch (RuntimeException known) {
                throw known;
            } catch (Exception checked) {
                throw new TextException(checked);
            }
        };
    }

    /** Wraps a checked exception. */
    class TextException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TextException(Exception cause) {
            super(cause);
        }
    }
}
