package tools.text;

import java.util.function.UnaryOperator;

/** Breaks long lines at spaces. */
public class Wrap implements UnaryOperator<String> {

    public static final int DEFAULT_WIDTH = 72;

    private final int width;

    public Wrap(int width) {
        this.width = width;
    }

    @Override
    public String apply(String line) {
        StringBuilder out = new StringBuilder();
        int column = 0;
        for (String word : line.split(" ")) {
            if (column > 0 && column + 1 + word.length() > width) {
                out.append('\n');
                column = 0;
            } else if (column > 0) {
                out.append(' ');
                column++;
            }
            out.append(word);
            column += word.length();
        }
        return out.toString();
    }
}
