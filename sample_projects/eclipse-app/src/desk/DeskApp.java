package desk;

import java.io.IOException;
import java.time.LocalDate;

/** Starts the program. */
public class DeskApp {

    public static void main(String[] args) throws IOException {
        Board board = new NoteStore(Defaults.FILE).load();
        board.addListener((change, note) -> System.out.println(change + ": " + note.getText()));
        for (Note note : board.due(LocalDate.now())) {
            board.remove(note);
        }
    }
}
