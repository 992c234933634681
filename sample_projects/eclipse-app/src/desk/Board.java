package desk;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** The board that the notes are on. */
public class Board implements Iterable<Note> {

    private final List<Note> notes = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();

    public void add(Note note) {
        notes.add(note);
        fire(Change.ADDED, note);
    }

    public boolean remove(Note note) {
        boolean removed = notes.remove(note);
        if (removed) {
            fire(Change.REMOVED, note);
        }
        return removed;
    }

    public List<Note> due(LocalDate today) {
        return select(note -> note.isDue(today));
    }

    public List<Note> select(Predicate<? super Note> wanted) {
        return notes.stream().filter(wanted).toList();
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    private void fire(Change change, Note note) {
        for (Listener listener : listeners) {
            listener.changed(change, note);
        }
    }

    @Override
    public Iterator<Note> iterator() {
        return new Iterator<Note>() {
            private final Iterator<Note> all = notes.iterator();

            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Note next() {
                return all.next();
            }
        };
    }

    public interface Listener {
        void changed(Change change, Note note);
    }

    public enum Change { ADDED, REMOVED }
}
