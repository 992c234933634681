package shop.orders;

import shop.core.Money;
import shop.core.ShopException;

/** Takes money from customers. */
public interface PaymentGateway {

    /** Returns the number of the receipt. */
    String charge(String customer, Money amount) throws Declined;

    /** The money was not paid. */
    class Declined extends ShopException {

        private static final long serialVersionUID = 1L;

        public Declined(String message) {
            super(message);
        }
    }
}
