package shop.web;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the browser sent. */
public record Request(Method method, String path, Map<String, List<String>> parameters) {

    public Request(Method method, String path) {
        this(method, path, Map.of());
    }

    public Optional<String> parameter(String name) {
        return parameters.getOrDefault(name, List.of()).stream().findFirst();
    }

    public enum Method {
        GET,
        POST,
        DELETE;

        public boolean isSafe() {
            return this == GET;
        }
    }
}
