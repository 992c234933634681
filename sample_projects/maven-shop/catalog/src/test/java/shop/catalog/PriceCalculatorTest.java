package shop.catalog;

import java.math.BigDecimal;
import shop.core.CurrencyCode;
import shop.core.Money;

/** Runs without a test framework: {@code java shop.catalog.PriceCalculatorTest}. */
public class PriceCalculatorTest {

    private final Product hammer = Product.builder("T-1")
            .name("Hammer")
            .price(Money.of("20.00", CurrencyCode.EUR))
            .tag("sale")
            .build();

    public static void main(String[] args) {
        PriceCalculatorTest test = new PriceCalculatorTest();
        test.addsTax();
        test.appliesDiscountsInOrder();
        test.adds();
        System.out.println("PriceCalculatorTest: ok");
    }

    void addsTax() {
        expect("23.80", new PriceCalculator().grossPrice(hammer));
    }

    void appliesDiscountsInOrder() {
        DiscountPolicy policy = DiscountPolicy.forTag("sale", new Discount.Percentage(50))
                .andThen(DiscountPolicy.fromQuantity(2, new Discount.Fixed(Money.of(5, CurrencyCode.EUR))));
        expect("10.00", new PriceCalculator(policy).netPrice(hammer));
        expect("15.00", new PriceCalculator(policy).netPrice(hammer, 2));
    }

    void adds() {
        PriceCalculator calculator = new PriceCalculator().withTaxRate(Category.TOOLS, BigDecimal.ZERO);
        expect("60.00", calculator.open().add(hammer, 1).add(hammer, 2).total());
    }

    private static void expect(String amount, Money actual) {
        if (!actual.equals(Money.of(amount, CurrencyCode.EUR))) {
            throw new AssertionError("expected " + amount + ", was " + actual);
        }
    }
}
