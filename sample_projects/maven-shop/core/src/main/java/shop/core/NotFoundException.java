package shop.core;

/** Something was asked for by its identifier and is not there. */
public class NotFoundException extends ShopException {

    private static final long serialVersionUID = 1L;

    private final transient Identifier<?> id;

    public NotFoundException(Identifier<?> id) {
        super("no such " + id.type().getSimpleName() + ": " + id.value());
        this.id = id;
    }

    public Identifier<?> id() {
        return id;
    }
}
