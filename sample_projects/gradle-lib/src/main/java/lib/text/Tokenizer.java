package lib.text;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntPredicate;

/** Cuts text into tokens. */
public class Tokenizer implements Iterable<Token> {

    /** Lambdas and anonymous classes in field initialisers: neither is a member of this class. */
    private static final IntPredicate LETTER = c -> Character.isLetter(c) || c == '_', DIGIT = Character::isDigit;

    private final IntPredicate mark = new IntPredicate() {
        private final String all = ".,;:!?";

        @Override
        public boolean test(int character) {
            return all.indexOf(character) >= 0;
        }

        @Override
        public IntPredicate negate() {
            return character -> !test(character);
        }
    };

    private final String source;

    public Tokenizer(String source) {
        this.source = source;
    }

    public List<Token> all() {
        List<Token> tokens = new ArrayList<>();
        for (Token token : this) {
            tokens.add(token);
        }
        return tokens;
    }

    @Override
    public Iterator<Token> iterator() {
        class Walk implements Iterator<Token> {
            private int at;

            @Override
            public boolean hasNext() {
                return at < source.length();
            }

            @Override
            public Token next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                record Cut(int from, int to) {
                    String text(String whole) {
                        return whole.substring(from, to);
                    }
                }
                int first = source.charAt(at);
                if (LETTER.test(first)) {
                    Cut cut = new Cut(at, run(LETTER));
                    return new Token.Word.Plain(cut.text(source), cut.from());
                }
                if (DIGIT.test(first)) {
                    Cut cut = new Cut(at, run(DIGIT));
                    return new Token.Word.Number(cut.text(source), cut.from());
                }
                int offset = at++;
                if (mark.test(first)) {
                    return new Token.Mark(String.valueOf((char) first), offset) {
                        @Override
                        public boolean endsSentence() {
                            return ".!?".contains(text());
                        }
                    };
                }
                return first == '\n' ? Token.Space.LINE_END : Token.Space.BLANK;
            }

            private int run(IntPredicate wanted) {
                while (hasNext() && wanted.test(source.charAt(at))) {
                    at++;
                }
                return at;
            }
        }
        return new Walk();
    }
}
