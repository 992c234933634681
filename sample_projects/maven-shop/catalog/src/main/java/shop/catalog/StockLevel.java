package shop.catalog;

import shop.core.Identifier;

/** How many pieces of a product are in the store, and how many of them are promised to someone. */
public record StockLevel(Identifier<Product> product, int onHand, int reserved) {

    public StockLevel {
        if (reserved > onHand) {
            throw new IllegalArgumentException("promised more than there is: " + product);
        }
    }

    public int available() {
        return onHand - reserved;
    }

    public StockLevel reserve(int pieces) {
        return new StockLevel(product, onHand, reserved + pieces);
    }

    public StockLevel receive(int pieces) {
        return new StockLevel(product, onHand + pieces, reserved);
    }
}
