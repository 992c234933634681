package shop.catalog;

import java.math.BigDecimal;
import shop.core.Money;

/** A way to make something cheaper. */
public sealed interface Discount {

    Discount NONE = new Fixed(Money.ZERO);

    Money apply(Money price);

    /** Takes off a share of the price. */
    record Percentage(int percent) implements Discount {

        private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

        public Percentage {
            if (percent < 0 || percent > 100) {
                throw new IllegalArgumentException("not a percentage: " + percent);
            }
        }

        @Override
        public Money apply(Money price) {
            return price.times(HUNDRED.subtract(BigDecimal.valueOf(percent)).divide(HUNDRED));
        }
    }

    /** Takes off the same amount each time, but never more than the price. */
    record Fixed(Money off) implements Discount {

        @Override
        public Money apply(Money price) {
            if (off.isZero()) {
                return price;
            }
            Money rest = price.minus(off);
            return rest.isNegative() ? Money.zero(price.currency()) : rest;
        }
    }

    /** Two discounts, one after the other. */
    final class Chain implements Discount {

        private final Discount first;
        private final Discount second;

        public Chain(Discount first, Discount second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public Money apply(Money price) {
            return second.apply(first.apply(price));
        }
    }
}
