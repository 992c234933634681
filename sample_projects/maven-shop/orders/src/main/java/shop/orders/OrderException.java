package shop.orders;

import shop.core.ShopException;

/** An order cannot do what was asked of it. */
public class OrderException extends ShopException {

    private static final long serialVersionUID = 1L;

    public OrderException(Order order, String problem) {
        this(order, problem, null);
    }

    public OrderException(Order order, String problem, Throwable cause) {
        super(order.id() + ": " + problem, cause);
    }
}
