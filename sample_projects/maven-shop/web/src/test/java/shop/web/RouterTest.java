package shop.web;

import java.util.List;
import java.util.Map;

/** Runs without a test framework: {@code java shop.web.RouterTest}. */
public class RouterTest {

    public static void main(String[] args) {
        Router router = ShopApplication.router();
        expect(200, router.handle(new Request(Request.Method.GET, "/products")));
        expect(404, router.handle(new Request(Request.Method.GET, "/nothing")));
        expect(409, router.handle(new Request(Request.Method.POST, "/orders/open")));
        expect(200, router.handle(post("/orders/open", "customer", "someone")));
        expect(404, router.handle(post("/orders/place", "id", "77")));
        System.out.println("RouterTest: ok");
    }

    private static Request post(String path, String name, String value) {
        return new Request(Request.Method.POST, path, Map.of(name, List.of(value)));
    }

    private static void expect(int status, Response response) {
        if (response.status() != status) {
            throw new AssertionError("expected " + status + ", was " + response.status() + " " + response.body());
        }
    }
}
