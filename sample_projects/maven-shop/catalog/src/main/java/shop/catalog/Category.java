package shop.catalog;

import java.math.BigDecimal;

/** Groups of products, each with its own tax rate. */
public enum Category {
    BOOKS {
        @Override
        public BigDecimal taxRate() {
            return REDUCED;
        }
    },
    FOOD {
        @Override
        public BigDecimal taxRate() {
            return REDUCED;
        }

        @Override
        public boolean isPerishable() {
            return true;
        }
    },
    TOOLS {
        @Override
        public BigDecimal taxRate() {
            return STANDARD;
        }
    };

    private static final BigDecimal STANDARD = new BigDecimal("0.19");
    private static final BigDecimal REDUCED = new BigDecimal("0.07");

    public abstract BigDecimal taxRate();

    public boolean isPerishable() {
        return false;
    }
}
