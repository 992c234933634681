package nested;

import java.util.Comparator;
import java.util.Iterator;

/** Anonymous classes, three deep, in a field, a method, an argument and a constructor call. */
class Anonymous {

    final Iterable<Iterator<Comparator<String>>> field = new Iterable<>() {
        int one;

        @Override
        public Iterator<Iterator<Comparator<String>>> iterator() {
            return new Iterator<>() {
                int two;

                @Override
                public boolean hasNext() {
                    return two++ == 0;
                }

                @Override
                public Iterator<Comparator<String>> next() {
                    Comparator<String> third = new Comparator<>() {
                        int three;

                        @Override
                        public int compare(String left, String right) {
                            class Named {
                                int four;
                            }
                            return new Named().four + three;
                        }
                    };
                    return java.util.List.of(third).iterator();
                }
            };
        }
    };

    Anonymous(Runnable action) {
    }

    Anonymous() {
        this(new Runnable() {
            public void run() {
            }
        });
    }

    Object inArgument() {
        return String.valueOf(new Object() {
            int hidden = 1;

            int more() {
                return hidden;
            }
        }.more());
    }
}
