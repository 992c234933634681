package shop.core;

import java.util.Objects;

/**
 * Something with an identity that outlives its values.
 *
 * @param <T> the entity class itself
 */
public abstract class Entity<T extends Entity<T>> {

    private final Identifier<T> id;
    private long version;

    protected Entity(Identifier<T> id) {
        this.id = Objects.requireNonNull(id, "id");
    }

    public final Identifier<T> id() {
        return id;
    }

    public final long version() {
        return version;
    }

    /** To be called by subclasses after every change. */
    protected void touch() {
        version++;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Entity<?> that && getClass() == that.getClass() && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
