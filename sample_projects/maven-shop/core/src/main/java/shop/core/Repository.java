package shop.core;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Keeps entities of one kind.
 *
 * @param <T> the kind of entity
 */
public interface Repository<T extends Entity<T>> {

    int DEFAULT_PAGE_SIZE = 20;

    void save(T entity);

    Optional<T> find(Identifier<T> id);

    List<T> findAll();

    boolean remove(Identifier<T> id);

    /** Like {@link #find}, but a missing entity is an error. */
    default T get(Identifier<T> id) {
        return find(id).orElseThrow(() -> new NotFoundException(id));
    }

    default List<T> findAll(Predicate<? super T> filter) {
        return findAll().stream().filter(filter).toList();
    }

    default Page<T> page(int number) {
        return page(number, DEFAULT_PAGE_SIZE);
    }

    default Page<T> page(int number, int size) {
        return Page.cut(findAll(), number, size);
    }
}
