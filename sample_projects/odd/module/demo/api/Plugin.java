package demo.api;

public interface Plugin {
    String name();
}
