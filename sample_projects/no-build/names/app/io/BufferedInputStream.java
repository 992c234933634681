package app.io;

public class BufferedInputStream {
}
