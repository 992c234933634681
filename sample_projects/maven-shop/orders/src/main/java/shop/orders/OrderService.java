package shop.orders;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import shop.catalog.Catalog;
import shop.catalog.PriceCalculator;
import shop.core.Audited;
import shop.core.Identifier;
import shop.core.Money;
import shop.core.Result;

/** Everything that can be done with orders, from the first line to the parcel. */
@Audited
public class OrderService {

    private final OrderRepository orders;
    private final Catalog catalog;
    private final PriceCalculator calculator;
    private final PaymentGateway payments;
    private final List<OrderListener> listeners = new CopyOnWriteArrayList<>();
    private final Supplier<Identifier<Order>> numbers = new Supplier<>() {
        private long last;

        @Override
        public synchronized Identifier<Order> get() {
            return new Identifier<>(Order.class, ++last);
        }
    };
    private Clock clock = Clock.systemUTC();

    public OrderService(
            OrderRepository orders, Catalog catalog, PriceCalculator calculator, PaymentGateway payments) {
        this.orders = orders;
        this.catalog = catalog;
        this.calculator = calculator;
        this.payments = payments;
    }

    void setClock(Clock clock) {
        this.clock = clock;
    }

    public void addListener(OrderListener listener) {
        listeners.add(listener);
    }

    /** Starts an empty order. */
    public Order open(String customer) {
        Order order = Order.builder(numbers.get())
                .customer(customer)
                .createdAt(clock.instant())
                .build();
        orders.save(order);
        return order;
    }

    public Order addLine(Identifier<Order> id, String sku) {
        return addLine(id, sku, 1);
    }

    public Order addLine(Identifier<Order> id, String sku, int quantity) {
        Order order = orders.get(id);
        order.addLine(catalog.get(sku), quantity);
        orders.save(order);
        return order;
    }

    public Money total(Identifier<Order> id) {
        return orders.get(id).total(calculator);
    }

    @Audited(detail = Audited.Detail.ARGUMENTS)
    public Order place(Identifier<Order> id) {
        Order order = move(id, OrderStatus.PLACED);
        publish(new OrderEvent.Placed(id, clock.instant(), order.total(calculator)));
        return order;
    }

    @Audited(value = "pay", masked = "receipt")
    public Result<String> pay(Identifier<Order> id) {
        return Result.of(() -> {
            Order order = orders.get(id);
            String receipt = payments.charge(order.customer(), order.total(calculator));
            move(id, OrderStatus.PAID);
            publish(new OrderEvent.Paid(id, clock.instant(), receipt));
            return receipt;
        });
    }

    public Order ship(Identifier<Order> id) {
        Order order = move(id, OrderStatus.SHIPPED);
        publish(new OrderEvent.Shipped(id, clock.instant()));
        return order;
    }

    public Order cancel(Identifier<Order> id) {
        return cancel(id, OrderEvent.Cancelled.Reason.BY_CUSTOMER);
    }

    public Order cancel(Identifier<Order> id, OrderEvent.Cancelled.Reason reason) {
        Order order = move(id, OrderStatus.CANCELLED);
        publish(new OrderEvent.Cancelled(id, clock.instant(), reason));
        return order;
    }

    /** Cancels several orders at once and returns those that could not be cancelled. */
    public List<Identifier<Order>> cancelAll(Iterable<Identifier<Order>> ids) {
        List<Identifier<Order>> left = new ArrayList<>();
        for (Identifier<Order> id : ids) {
            if (Result.of(() -> cancel(id)) instanceof Result.Failed<Order>) {
                left.add(id);
            }
        }
        return left;
    }

    /** @deprecated use {@link #cancel(Identifier)} */
    @Deprecated(forRemoval = true)
    public void delete(Identifier<Order> id) {
        cancel(id);
    }

    private Order move(Identifier<Order> id, OrderStatus target) {
        Order order = orders.get(id);
        order.moveTo(target);
        orders.save(order);
        return order;
    }

    private void publish(OrderEvent event) {
        listeners.forEach(listener -> listener.onEvent(event));
    }
}
