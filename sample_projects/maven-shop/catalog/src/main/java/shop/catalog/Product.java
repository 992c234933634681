package shop.catalog;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import shop.core.Entity;
import shop.core.Identifier;
import shop.core.Money;

/** Something that can be bought. Made with a {@link Builder}. */
public class Product extends Entity<Product> {

    private final String name;
    private final Category category;
    private final Set<String> tags;
    private Money price;

    private Product(Builder builder) {
        super(Identifier.of(Product.class, builder.sku));
        this.name = Objects.requireNonNull(builder.name, "name");
        this.category = Objects.requireNonNull(builder.category, "category");
        this.price = Objects.requireNonNull(builder.price, "price");
        this.tags = Set.copyOf(builder.tags);
    }

    public static Builder builder(String sku) {
        return new Builder(sku);
    }

    public String name() {
        return name;
    }

    public Category category() {
        return category;
    }

    public Money price() {
        return price;
    }

    public Set<String> tags() {
        return tags;
    }

    public void changePrice(Money price) {
        this.price = Objects.requireNonNull(price, "price");
        touch();
    }

    @Override
    public String toString() {
        return name + " at " + price;
    }

    /** Collects the parts of a product. */
    public static final class Builder {

        private final String sku;
        private final Set<String> tags = new LinkedHashSet<>();
        private String name;
        private Category category = Category.TOOLS;
        private Money price = Money.ZERO;

        private Builder(String sku) {
            this.sku = sku;
        }

        public Builder name(String name) {
            this.name = name;
            return this;
        }

        public Builder category(Category category) {
            this.category = category;
            return this;
        }

        public Builder price(Money price) {
            this.price = price;
            return this;
        }

        public Builder tag(String... tags) {
            this.tags.addAll(Set.of(tags));
            return this;
        }

        public Product build() {
            return new Product(this);
        }
    }
}
