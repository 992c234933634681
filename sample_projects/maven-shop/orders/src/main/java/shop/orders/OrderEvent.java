package shop.orders;

import java.time.Instant;
import shop.core.Identifier;
import shop.core.Money;

/** Something that happened to an order. */
public sealed interface OrderEvent {

    Identifier<Order> orderId();

    Instant at();

    record Placed(Identifier<Order> orderId, Instant at, Money total) implements OrderEvent {
    }

    record Paid(Identifier<Order> orderId, Instant at, String receipt) implements OrderEvent {
    }

    record Shipped(Identifier<Order> orderId, Instant at) implements OrderEvent {
    }

    record Cancelled(Identifier<Order> orderId, Instant at, Reason reason) implements OrderEvent {

        public enum Reason {
            BY_CUSTOMER,
            NOT_PAID
        }
    }
}
