package lib.text;

/** A piece of text with its place. Sealed twice: words and marks have kinds of their own. */
public sealed interface Token permits Token.Word, Token.Mark, Token.Space {

    String text();

    int offset();

    default int end() {
        return offset() + text().length();
    }

    /** Something to read. */
    sealed interface Word extends Token {

        record Plain(String text, int offset) implements Word {
        }

        record Number(String text, int offset) implements Word {
            public long value() {
                return Long.parseLong(text);
            }
        }
    }

    /** Punctuation. */
    non-sealed abstract class Mark implements Token {

        private final String text;
        private final int offset;

        protected Mark(String text, int offset) {
            this.text = text;
            this.offset = offset;
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public int offset() {
            return offset;
        }

        public abstract boolean endsSentence();
    }

    /** Everything between words. */
    enum Space implements Token {
        BLANK(" "),
        LINE_END("\n") {
            @Override
            public int end() {
                return 0;
            }
        };

        private final String text;

        Space(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }

        @Override
        public int offset() {
            return -1;
        }
    }
}
