package tools.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The lines of a file. */
public final class Lines {

    private final List<String> lines;

    private Lines(List<String> lines) {
        this.lines = lines;
    }

    public static Lines of(Path file) throws IOException {
        return new Lines(Files.readAllLines(file));
    }

    public Lines map(Function<? super String, String> change) {
        return new Lines(lines.stream().map(change).toList());
    }

    public void forEach(Consumer<? super String> action) {
        lines.forEach(action);
    }
}
