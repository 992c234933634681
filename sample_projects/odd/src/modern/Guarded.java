package modern;

import module java.base;

/** Needs Java 25: a module import, and statements before the call of the other constructor. */
class Guarded extends ArrayList<String> {

    final int limit;

    Guarded(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException();
        }
        this.limit = limit;
        super(limit);
    }

    Guarded(List<String> all) {
        int size = all.size();
        this(size);
        for (String _ : all) {
            add("?");
        }
    }

    BiFunction<String, String, Integer> count = (_, _) -> size();
}
