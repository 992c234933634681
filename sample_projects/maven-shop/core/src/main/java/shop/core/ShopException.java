package shop.core;

/** Base of all errors that the shop reports on purpose. */
public class ShopException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ShopException(String message) {
        super(message);
    }

    public ShopException(String message, Throwable cause) {
        super(message, cause);
    }
}
