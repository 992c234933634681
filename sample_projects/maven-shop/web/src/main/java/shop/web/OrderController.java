package shop.web;

import static shop.web.Request.Method.POST;

import java.util.Map;
import shop.core.Identifier;
import shop.core.Result;
import shop.core.ShopException;
import shop.orders.Order;
import shop.orders.OrderService;

/** The pages about orders. */
public class OrderController {

    private final OrderService service;

    public OrderController(OrderService service) {
        this.service = service;
    }

    @Route(path = "/orders/open", method = POST)
    public Response open(Request request) {
        return show(service.open(required(request, "customer")));
    }

    @Route(path = "/orders/add", method = POST)
    public Response add(Request request) {
        int quantity = request.parameter("quantity").map(Integer::parseInt).orElse(1);
        return show(service.addLine(id(request), required(request, "sku"), quantity));
    }

    @Route(path = "/orders/place", method = POST)
    @Route(path = "/orders/submit", method = POST)
    public Response place(Request request) {
        return show(service.place(id(request)));
    }

    @Route(path = "/orders/pay", method = POST)
    public Response pay(Request request) {
        Result<String> receipt = service.pay(id(request));
        return Response.ok(receipt.orElse("not paid"));
    }

    @Route(path = "/orders/total")
    public Response total(Request request) {
        return Response.ok(service.total(id(request)).toString());
    }

    private static Response show(Order order) {
        return Response.ok(JsonWriter.write(Map.of("id", order.id().value(), "lines", order.lines().size())));
    }

    private static Identifier<Order> id(Request request) {
        return Identifier.of(Order.class, required(request, "id"));
    }

    private static String required(Request request, String name) {
        return request.parameter(name).orElseThrow(() -> new ShopException("missing parameter " + name));
    }
}
