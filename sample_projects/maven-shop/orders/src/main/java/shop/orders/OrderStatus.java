package shop.orders;

import java.util.EnumSet;
import java.util.Set;

/** Where an order is on its way to the customer. */
public enum OrderStatus {
    DRAFT {
        @Override
        public Set<OrderStatus> next() {
            return EnumSet.of(PLACED, CANCELLED);
        }
    },
    PLACED {
        @Override
        public Set<OrderStatus> next() {
            return EnumSet.of(PAID, CANCELLED);
        }
    },
    PAID {
        @Override
        public Set<OrderStatus> next() {
            return EnumSet.of(SHIPPED);
        }
    },
    SHIPPED,
    CANCELLED;

    /** The states that may follow; none for a final state. */
    public Set<OrderStatus> next() {
        return EnumSet.noneOf(OrderStatus.class);
    }

    public final boolean isFinal() {
        return next().isEmpty();
    }
}
