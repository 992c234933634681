package shop.core;

import java.math.BigDecimal;

/** Runs without a test framework: {@code java shop.core.MoneyTest}. */
public class MoneyTest {

    public static void main(String[] args) {
        MoneyTest test = new MoneyTest();
        test.addsAmounts();
        test.roundsToCurrency();
        test.refusesMixedCurrencies();
        System.out.println("MoneyTest: ok");
    }

    void addsAmounts() {
        Money sum = Money.sum(euro("1.10"), euro("2.20"), euro("3.30"));
        check(sum.equals(euro("6.60")), "sum was " + sum);
    }

    void roundsToCurrency() {
        Money yen = Money.of(new BigDecimal("10.5"), CurrencyCode.JPY);
        check(yen.amount().intValueExact() == 11, "was " + yen);
    }

    void refusesMixedCurrencies() {
        try {
            euro("1").plus(Money.of(1, CurrencyCode.USD));
        } catch (Money.CurrencyMismatchException expected) {
            return;
        }
        throw new AssertionError("mixed currencies were accepted");
    }

    private static Money euro(String amount) {
        return Money.of(amount, CurrencyCode.EUR);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }
}
