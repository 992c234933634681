package lib.text;

import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/**
 * A map from strings that can be searched by prefix.
 *
 * @param <V> kind of the values
 * @param <C> kind of collection that a search gives
 */
public class Trie<V extends Comparable<? super V>, C extends Collection<V>> {

    private final Node root = new Node(null);
    private final java.util.function.Supplier<? extends C> collections;

    public Trie(java.util.function.Supplier<? extends C> collections) {
        this.collections = collections;
    }

    public static <V extends Comparable<? super V>> Trie<V, java.util.List<V>> ofLists() {
        return new Trie<>(java.util.ArrayList::new);
    }

    public V put(String key, V value) {
        return put(key, value, (old, young) -> young);
    }

    public V put(String key, V value, BinaryOperator<V> merge) {
        Node node = root;
        for (char step : key.toCharArray()) {
            node = node.child(step);
        }
        return node.value = node.value == null ? value : merge.apply(node.value, value);
    }

    public <K extends CharSequence & Comparable<K>, M extends SortedMap<? super K, ? extends V>> void putAll(M all) {
        for (Map.Entry<? super K, ? extends V> entry : all.entrySet()) {
            put(entry.getKey().toString(), entry.getValue());
        }
    }

    public C startingWith(String prefix) {
        C found = collections.get();
        Node node = root;
        for (int i = 0; node != null && i < prefix.length(); i++) {
            node = node.children.get(prefix.charAt(i));
        }
        if (node != null) {
            node.collect(found);
        }
        return found;
    }

    private class Node {

        final Node parent;
        final Map<Character, Node> children = new TreeMap<>();
        V value;

        Node(Node parent) {
            this.parent = parent;
        }

        Node child(char step) {
            return children.computeIfAbsent(step, ignored -> new Node(this));
        }

        void collect(Collection<? super V> found) {
            if (value != null) {
                found.add(value);
            }
            children.values().forEach(child -> child.collect(found));
        }
    }
}
