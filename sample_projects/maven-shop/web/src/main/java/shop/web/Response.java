package shop.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the browser gets back. */
public final class Response {

    public static final Response NOT_FOUND = status(404).body("not found");

    private final int status;
    private final Map<String, String> headers;
    private final String body;

    private Response(int status, Map<String, String> headers, String body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    public static BodyStep status(int status) {
        return new Steps(status);
    }

    public static Response ok(String body) {
        return status(200).body(body);
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public String body() {
        return body;
    }

    /** Last step of building a response. */
    public interface BodyStep {

        BodyStep header(String name, String value);

        Response body(String body);

        default Response empty() {
            return body("");
        }
    }

    private static class Steps implements BodyStep {

        private final int status;
        private final Map<String, String> headers = new LinkedHashMap<>();

        Steps(int status) {
            this.status = status;
        }

        @Override
        public BodyStep header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        @Override
        public Response body(String body) {
            return new Response(status, headers, body);
        }
    }
}
