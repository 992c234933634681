package desk;

import java.nio.file.Path;

/** Values that the program starts with. The tests have a class of the same full name. */
final class Defaults {

    static final Path FILE = Path.of(System.getProperty("user.home"), "board.txt");
    static final int WIDTH = 800, HEIGHT = 600;

    private Defaults() {
    }
}
