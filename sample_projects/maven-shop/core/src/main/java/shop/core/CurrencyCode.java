package shop.core;

/** The currencies that the shop accepts. */
public enum CurrencyCode {
    EUR("€", 2),
    USD("$", 2) {
        @Override
        public String format(String amount) {
            return symbol() + amount;
        }
    },
    GBP("£", 2) {
        @Override
        public String format(String amount) {
            return symbol() + amount;
        }
    },
    JPY("¥", 0);

    private final String symbol;
    private final int fractionDigits;

    CurrencyCode(String symbol, int fractionDigits) {
        this.symbol = symbol;
        this.fractionDigits = fractionDigits;
    }

    public String symbol() {
        return symbol;
    }

    public int fractionDigits() {
        return fractionDigits;
    }

    /** Puts the symbol where readers of this currency expect it. */
    public String format(String amount) {
        return amount + " " + symbol;
    }
}
