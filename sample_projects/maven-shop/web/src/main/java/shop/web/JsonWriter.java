package shop.web;

import java.util.Iterator;
import java.util.Map;

/** Writes plain values, maps and lists as JSON. */
public class JsonWriter {

    private static final char[] HEX;

    static {
        HEX = "0123456789abcdef".toCharArray();
    }

    private final StringBuilder out = new StringBuilder();

    public static String write(Object value) {
        return new JsonWriter().append(value).toString();
    }

    public JsonWriter append(Object value) {
        if (value instanceof Map<?, ?> map) {
            return append(map);
        }
        if (value instanceof Iterable<?> items) {
            return append(items);
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
            return this;
        }
        return append(value.toString());
    }

    public JsonWriter append(String text) {
        out.append('"');
        text.chars().forEach(this::escape);
        out.append('"');
        return this;
    }

    public JsonWriter append(Map<?, ?> map) {
        return join('{', '}', map.entrySet(), entry -> {
            append(entry.getKey().toString());
            out.append(':');
            append((Object) entry.getValue());
        });
    }

    public JsonWriter append(Iterable<?> items) {
        return join('[', ']', items, this::append);
    }

    private <T> JsonWriter join(char open, char close, Iterable<T> items, Step<? super T> step) {
        out.append(open);
        for (Iterator<T> rest = items.iterator(); rest.hasNext();) {
            step.write(rest.next());
            if (rest.hasNext()) {
                out.append(',');
            }
        }
        out.append(close);
        return this;
    }

    private void escape(int character) {
        if (character == '"' || character == '\\') {
            out.append('\\').append((char) character);
        } else if (character < ' ') {
            out.append("\\u00").append(HEX[character >> 4]).append(HEX[character & 15]);
        } else {
            out.append((char) character);
        }
    }

    @Override
    public String toString() {
        return out.toString();
    }

    @FunctionalInterface
    private interface Step<T> {
        void write(T item);
    }
}
