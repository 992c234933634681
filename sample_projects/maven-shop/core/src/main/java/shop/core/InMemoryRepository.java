package shop.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A repository that forgets everything when the program ends. */
public class InMemoryRepository<T extends Entity<T>> implements Repository<T> {

    private final Map<Identifier<T>, Slot> slots = new LinkedHashMap<>();

    @Override
    public synchronized void save(T entity) {
        slots.computeIfAbsent(entity.id(), id -> new Slot()).put(entity);
    }

    @Override
    public synchronized Optional<T> find(Identifier<T> id) {
        return Optional.ofNullable(slots.get(id)).map(slot -> slot.entity);
    }

    @Override
    public synchronized List<T> findAll() {
        List<T> all = new ArrayList<>(slots.size());
        slots.values().forEach(slot -> all.add(slot.entity));
        return all;
    }

    @Override
    public synchronized boolean remove(Identifier<T> id) {
        return slots.remove(id) != null;
    }

    /** One place in the repository; an inner class, so that it shares the type variable. */
    private class Slot {
        private T entity;
        private int writes;

        void put(T entity) {
            this.entity = entity;
            this.writes++;
        }

        @Override
        public String toString() {
            return entity + " (" + writes + " writes, " + slots.size() + " slots)";
        }
    }
}
