package desk;

import java.time.LocalDate;

/** Runs without a test framework. */
public class BoardTest {

    public static void main(String[] args) {
        Board board = new Board();
        desk.fake.Clipboard copied = new desk.fake.Clipboard();
        board.addListener((change, note) -> copied.put(note.getText()));
        board.add(new Note(Defaults.TEXT, LocalDate.EPOCH));
        if (copied.isEmpty() || board.due(LocalDate.EPOCH).size() != 1) {
            throw new AssertionError();
        }
        System.out.println("BoardTest: ok");
    }
}
