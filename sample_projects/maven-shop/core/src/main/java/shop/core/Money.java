package shop.core;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;

/**
 * An amount in one currency. Instances are immutable, and always rounded to the digits of their currency.
 *
 * @see CurrencyCode#fractionDigits()
 */
public final class Money implements Comparable<Money>, Serializable {

    private static final long serialVersionUID = 1L;

    /** No money at all, in euro. */
    public static final Money ZERO = new Money(BigDecimal.ZERO, CurrencyCode.EUR, Rounding.COMMERCIAL);

    private final BigDecimal amount;
    private final CurrencyCode currency;

    private Money(BigDecimal amount, CurrencyCode currency, Rounding rounding) {
        this.currency = Objects.requireNonNull(currency, "currency");
        this.amount = rounding.apply(amount, currency.fractionDigits());
    }

    public static Money of(String amount, CurrencyCode currency) {
        return of(new BigDecimal(amount), currency);
    }

    public static Money of(long amount, CurrencyCode currency) {
        return of(BigDecimal.valueOf(amount), currency);
    }

    public static Money of(BigDecimal amount, CurrencyCode currency) {
        return new Money(amount, currency, Rounding.COMMERCIAL);
    }

    public static Money of(BigDecimal amount, CurrencyCode currency, Rounding rounding) {
        return new Money(amount, currency, rounding);
    }

    public static Money zero(CurrencyCode currency) {
        return of(0, currency);
    }

    /** Adds up all amounts; they must share one currency. */
    public static Money sum(Money first, Money... more) {
        return first.plus(sum(Arrays.asList(more), first.currency));
    }

    public static Money sum(Collection<? extends Money> amounts, CurrencyCode currency) {
        Money total = zero(currency);
        for (Money amount : amounts) {
            total = total.plus(amount);
        }
        return total;
    }

    public BigDecimal amount() {
        return amount;
    }

    public CurrencyCode currency() {
        return currency;
    }

    /**
     * The amount as a floating point number.
     *
     * @deprecated loses digits; use {@link #amount()}
     */
    @Deprecated(since = "0.9", forRemoval = true)
    public double doubleValue() {
        return amount.doubleValue();
    }

    public Money plus(Money other) {
        requireSameCurrency(other);
        return of(amount.add(other.amount), currency);
    }

    public Money minus(Money other) {
        requireSameCurrency(other);
        return of(amount.subtract(other.amount), currency);
    }

    public Money times(int factor) {
        return times(BigDecimal.valueOf(factor));
    }

    public Money times(BigDecimal factor) {
        return times(factor, Rounding.COMMERCIAL);
    }

    public Money times(BigDecimal factor, Rounding rounding) {
        return new Money(amount.multiply(factor), currency, rounding);
    }

    public Money negate() {
        return of(amount.negate(), currency);
    }

    public boolean isZero() {
        return amount.signum() == 0;
    }

    public boolean isNegative() {
        return amount.signum() < 0;
    }

    private void requireSameCurrency(Money other) {
        if (currency != other.currency) {
            throw new CurrencyMismatchException(currency, other.currency);
        }
    }

    @Override
    public int compareTo(Money other) {
        requireSameCurrency(other);
        return amount.compareTo(other.amount);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money that && currency == that.currency && amount.equals(that.amount);
    }

    @Override
    public int hashCode() {
        return Objects.hash(amount, currency);
    }

    @Override
    public String toString() {
        return currency.format(amount.toPlainString());
    }

    /** What happens to digits that the currency does not have. */
    public enum Rounding {
        COMMERCIAL(RoundingMode.HALF_UP),
        BANKERS(RoundingMode.HALF_EVEN),
        /** Refuses to lose a digit. */
        EXACT(RoundingMode.UNNECESSARY) {
            @Override
            BigDecimal apply(BigDecimal value, int digits) {
                try {
                    return super.apply(value, digits);
                } catch (ArithmeticException lost) {
                    throw new IllegalArgumentException("more than " + digits + " digits: " + value, lost);
                }
            }
        };

        private final RoundingMode mode;

        Rounding(RoundingMode mode) {
            this.mode = mode;
        }

        BigDecimal apply(BigDecimal value, int digits) {
            return value.setScale(digits, mode);
        }
    }

    /** Two amounts with different currencies met in one calculation. */
    public static class CurrencyMismatchException extends ShopException {

        private static final long serialVersionUID = 1L;

        CurrencyMismatchException(CurrencyCode left, CurrencyCode right) {
            super("cannot mix " + left + " and " + right);
        }
    }
}
