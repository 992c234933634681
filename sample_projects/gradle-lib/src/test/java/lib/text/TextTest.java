package lib.text;

import java.util.List;

/** Runs without a test framework. */
public class TextTest {

    public static void main(String[] args) {
        check(new Tokenizer("one 2.").all().size() == 4);
        check(WordCount.mostFrequent("a b b, a b.", 1).equals(List.of("b")));
        check(new Templates().define("x", 1).fill("{x}{nested}").equals("1'nested'"));
        Trie<Integer, List<Integer>> trie = Trie.ofLists();
        trie.put("car", 1);
        trie.put("cat", 2);
        check(trie.startingWith("ca").size() == 2);
        check(Parser.character('a').many().parse("aab").orElseThrow().value().size() == 2);
        check(TextFunction.UPPER.after(TextFunction.REVERSE).apply("ab").equals("BA"));
        System.out.println("TextTest: ok");
    }

    private static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
