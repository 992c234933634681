package lib.text;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts words. Everything interesting is local to one method. */
public final class WordCount {

    private WordCount() {
    }

    public static List<String> mostFrequent(String text, int limit) {
        enum Order implements Comparator<Map.Entry<String, Integer>> {
            FREQUENT_FIRST {
                @Override
                public int compare(Map.Entry<String, Integer> left, Map.Entry<String, Integer> right) {
                    return right.getValue() - left.getValue();
                }
            }
        }
        interface Counter {
            void count(String word);
        }
        Map<String, Integer> counts = new TreeMap<>();
        Counter counter = word -> counts.merge(word, 1, Integer::sum);
        for (Token token : new Tokenizer(text)) {
            if (token instanceof Token.Word) {
                counter.count(token.text());
            }
        }
        record Row(String word, int count) {
        }
        return counts.entrySet().stream()
                .sorted(Order.FREQUENT_FIRST)
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .limit(limit)
                .map(Row::word)
                .toList();
    }
}
