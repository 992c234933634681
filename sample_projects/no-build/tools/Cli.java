package tools;

import java.io.IOException;
import java.nio.file.Path;
import tools.io.Lines;
import tools.text.Wrap;

/** Wraps the lines of a file. */
public class Cli {

    public static void main(String... args) throws IOException {
        Wrap wrap = new Wrap(args.length > 1 ? Integer.parseInt(args[1]) : Wrap.DEFAULT_WIDTH);
        Lines.of(Path.of(args[0])).map(wrap).forEach(System.out::println);
    }
}
