package shop.catalog;

import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.Map;
import shop.core.Audited;
import shop.core.Money;

/**
 * Works out what a customer pays: discounts first, then tax.
 *
 * <pre>{@code
 * PriceCalculator calculator = new PriceCalculator(DiscountPolicy.NEVER);
 * Money gross = calculator.grossPrice(product, 3);
 * }</pre>
 */
public class PriceCalculator {

    private final DiscountPolicy policy;
    private final Map<Category, BigDecimal> taxRates = new EnumMap<>(Category.class);

    {
        for (Category category : Category.values()) {
            taxRates.put(category, category.taxRate());
        }
    }

    public PriceCalculator() {
        this(DiscountPolicy.NEVER);
    }

    public PriceCalculator(DiscountPolicy policy) {
        this.policy = policy;
    }

    /** Uses another tax rate than the category has on its own. */
    public PriceCalculator withTaxRate(Category category, BigDecimal rate) {
        taxRates.put(category, rate);
        return this;
    }

    public Money netPrice(Product product) {
        return netPrice(product, 1);
    }

    public Money netPrice(Product product, int quantity) {
        return policy.discountFor(product, quantity).apply(product.price().times(quantity));
    }

    public Money grossPrice(Product product) {
        return grossPrice(product, 1);
    }

    @Audited(value = "price", detail = Audited.Detail.ARGUMENTS_AND_RESULT)
    public Money grossPrice(Product product, int quantity) {
        return breakdown(product, quantity).gross();
    }

    public Breakdown breakdown(Product product, int quantity) {
        Money net = netPrice(product, quantity);
        Money tax = net.times(taxRates.get(product.category()), Money.Rounding.BANKERS);
        return new Breakdown(product.price().times(quantity), net, tax);
    }

    /** Starts a calculation over several products. */
    public Session open() {
        return new Session();
    }

    /** The parts of a price. */
    public record Breakdown(Money list, Money net, Money tax) {

        public Money gross() {
            return net.plus(tax);
        }

        public Money saved() {
            return list.minus(net);
        }
    }

    /** Adds up prices; belongs to one calculator. */
    public class Session {

        private Money total;

        Session() {
        }

        public Session add(Product product, int quantity) {
            Money price = PriceCalculator.this.grossPrice(product, quantity);
            total = total == null ? price : total.plus(price);
            return this;
        }

        public Money total() {
            return total == null ? Money.ZERO : total;
        }
    }
}
