package desk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reads and writes boards, one note a line. */
public class NoteStore {

    private final Path file;

    public NoteStore(Path file) {
        this.file = file;
    }

    public Board load() throws IOException {
        Board board = new Board();
        for (String line : Files.readAllLines(file)) {
            board.add(new Note(line));
        }
        return board;
    }

    public void save(Board board) throws IOException {
        Files.writeString(file, StreamSupport.stream(board.spliterator(), false)
                .map(Note::getText)
                .collect(Collectors.joining("\n")));
    }
}
