package shop.orders;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import shop.catalog.Catalog;
import shop.catalog.PriceCalculator;
import shop.catalog.Product;
import shop.core.CurrencyCode;
import shop.core.InMemoryRepository;
import shop.core.Money;
import shop.core.Result;

/** Runs without a test framework: {@code java shop.orders.OrderServiceTest}. */
public class OrderServiceTest {

    private final List<OrderEvent> events = new ArrayList<>();
    private final OrderRepository orders = OrderRepository.inMemory();
    private OrderService service;

    public static void main(String[] args) {
        OrderServiceTest test = new OrderServiceTest();
        test.setUp();
        test.paysAndShips();
        test.setUp();
        test.keepsUnpaidOrder();
        System.out.println("OrderServiceTest: ok");
    }

    void setUp() {
        events.clear();
        InMemoryRepository<Product> products = new InMemoryRepository<>();
        products.save(Product.builder("B-1").name("Notebook").price(Money.of(3, CurrencyCode.EUR)).build());
        service = new OrderService(orders, new Catalog(products), new PriceCalculator(), new LimitedGateway(100));
        service.setClock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        service.addListener(new OrderListener() {
            @Override
            public void onEvent(OrderEvent event) {
                events.add(event);
            }
        });
    }

    void paysAndShips() {
        Order order = service.open("first");
        service.addLine(order.id(), "B-1", 2);
        service.place(order.id());
        check(service.pay(order.id()) instanceof Result.Ok<String>);
        check(service.ship(order.id()).status().isFinal());
        check(events.size() == 3);
    }

    void keepsUnpaidOrder() {
        Order order = service.open("second");
        service.addLine(order.id(), "B-1", 1000);
        service.place(order.id());
        check(service.pay(order.id()) instanceof Result.Failed<String>);
        check(orders.get(order.id()).status() == OrderStatus.PLACED);
    }

    private static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    /** Declines everything above a limit. */
    private static class LimitedGateway implements PaymentGateway {

        private final Money limit;
        private int receipts;

        LimitedGateway(long limit) {
            this.limit = Money.of(limit, CurrencyCode.EUR);
        }

        @Override
        public String charge(String customer, Money amount) {
            if (amount.compareTo(limit) > 0) {
                throw new Declined(customer + " cannot pay " + amount);
            }
            return "R" + ++receipts;
        }
    }
}
