package shop.catalog;

import java.util.Objects;

/** Decides which discount a quantity of a product gets. */
@FunctionalInterface
public interface DiscountPolicy {

    DiscountPolicy NEVER = (product, quantity) -> Discount.NONE;

    Discount discountFor(Product product, int quantity);

    default DiscountPolicy andThen(DiscountPolicy next) {
        Objects.requireNonNull(next, "next");
        return (product, quantity) ->
                new Discount.Chain(discountFor(product, quantity), next.discountFor(product, quantity));
    }

    static DiscountPolicy fromQuantity(int least, Discount discount) {
        return (product, quantity) -> quantity >= least ? discount : Discount.NONE;
    }

    static DiscountPolicy forTag(String tag, Discount discount) {
        return new DiscountPolicy() {
            @Override
            public Discount discountFor(Product product, int quantity) {
                return product.tags().contains(tag) ? discount : Discount.NONE;
            }

            @Override
            public String toString() {
                return "discount for #" + tag;
            }
        };
    }
}
