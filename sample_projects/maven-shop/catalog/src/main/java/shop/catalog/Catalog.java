package shop.catalog;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import shop.core.Identifier;
import shop.core.Repository;

/** All products, in the order in which they are shown. */
public class Catalog implements Iterable<Product> {

    private static final Comparator<Product> BY_NAME = new Comparator<>() {
        @Override
        public int compare(Product left, Product right) {
            int byName = left.name().compareToIgnoreCase(right.name());
            return byName != 0 ? byName : left.id().compareTo(right.id());
        }
    };

    private final Repository<Product> products;

    public Catalog(Repository<Product> products) {
        this.products = products;
    }

    public Product get(String sku) {
        return products.get(Identifier.of(Product.class, sku));
    }

    public List<Product> search(String words) {
        return search(words, null);
    }

    public List<Product> search(String words, Category category) {
        String wanted = words.strip().toLowerCase();
        return products.findAll(product -> product.name().toLowerCase().contains(wanted)
                        && (category == null || product.category() == category))
                .stream()
                .sorted(BY_NAME)
                .toList();
    }

    @Override
    public Iterator<Product> iterator() {
        return new Cursor(products.findAll());
    }

    private static class Cursor implements Iterator<Product> {

        private final List<Product> sorted;
        private int next;

        Cursor(List<Product> products) {
            this.sorted = products.stream().sorted(BY_NAME).toList();
        }

        @Override
        public boolean hasNext() {
            return next < sorted.size();
        }

        @Override
        public Product next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return sorted.get(next++);
        }
    }
}
