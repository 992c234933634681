package shop.catalog;

import java.util.Hashtable;
import shop.core.CurrencyCode;
import shop.core.Money;

/**
 * Prices by product number, as the first version of the shop kept them.
 *
 * @deprecated use {@link Catalog} and {@link PriceCalculator}
 */
@Deprecated
public class LegacyPriceList {

    /** @deprecated prices now carry their currency. */
    @Deprecated
    public static final String CURRENCY = "EUR";

    private final Hashtable<String, Double> prices = new Hashtable<>();

    public void setPrice(String sku, double price) {
        prices.put(sku, price);
    }

    @Deprecated
    public double getPrice(String sku) {
        return prices.getOrDefault(sku, Double.NaN);
    }

    public Money getMoney(String sku) {
        return Money.of(prices.get(sku).toString(), CurrencyCode.valueOf(CURRENCY));
    }
}
