package lib.text;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Fills {@code {name}} places in text. */
public class Templates {

    private static final Map<String, Supplier<String>> BUILT_IN = new HashMap<>() {
        private static final long serialVersionUID = 1L;

        {
            put("line", System::lineSeparator);
            put("nested", new Supplier<>() {
                final Function<String, String> quote = text -> new Object() {
                    String around(String mark) {
                        return mark + text + mark;
                    }
                }.around("'");

                @Override
                public String get() {
                    return quote.apply("nested");
                }
            });
        }
    };

    private final Map<String, Supplier<String>> values = new HashMap<>(BUILT_IN);

    public Templates define(String name, Supplier<String> value) {
        values.put(name, value);
        return this;
    }

    public Templates define(String name, Object value) {
        return define(name, value::toString);
    }

    public String fill(String template) {
        StringBuilder filled = new StringBuilder();
        int done = 0;
        for (int open; (open = template.indexOf('{', done)) >= 0;) {
            int close = template.indexOf('}', open);
            filled.append(template, done, open).append(values.get(template.substring(open + 1, close)).get());
            done = close + 1;
        }
        return filled.append(template.substring(done)).toString();
    }
}
