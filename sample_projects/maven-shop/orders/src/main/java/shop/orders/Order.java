package shop.orders;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import shop.catalog.PriceCalculator;
import shop.catalog.Product;
import shop.core.Entity;
import shop.core.Identifier;
import shop.core.Money;

/** What one customer wants to buy. */
public class Order extends Entity<Order> {

    /** More lines than this do not fit on one invoice. */
    public static final int MAX_LINES = 100;

    private final String customer;
    private final Instant createdAt;
    private final List<Line> lines = new ArrayList<>();
    private OrderStatus status = OrderStatus.DRAFT;

    protected Order(Builder builder) {
        super(builder.id);
        this.customer = Objects.requireNonNull(builder.customer, "customer");
        this.createdAt = builder.createdAt;
        builder.wanted.forEach(this::addLine);
    }

    public static Builder builder(Identifier<Order> id) {
        return new Builder(id);
    }

    public String customer() {
        return customer;
    }

    public Instant createdAt() {
        return createdAt;
    }

    public OrderStatus status() {
        return status;
    }

    public List<Line> lines() {
        return Collections.unmodifiableList(lines);
    }

    public Line addLine(Product product) {
        return addLine(product, 1);
    }

    public Line addLine(Product product, int quantity) {
        return addLine(new Wanted(product, quantity));
    }

    private Line addLine(Wanted wanted) {
        if (lines.size() == MAX_LINES) {
            throw new OrderException(this, "too many lines");
        }
        Line line = new Line(wanted.product(), wanted.quantity());
        lines.add(line);
        touch();
        return line;
    }

    public Money total(PriceCalculator calculator) {
        PriceCalculator.Session session = calculator.open();
        for (Line line : lines) {
            session.add(line.product, line.quantity);
        }
        return session.total();
    }

    /**
     * Moves the order on.
     *
     * @throws OrderException if the order cannot go there from where it is
     */
    void moveTo(OrderStatus target) {
        if (!status.next().contains(target)) {
            throw new OrderException(this, "cannot go from " + status + " to " + target);
        }
        status = target;
        touch();
    }

    @Override
    public String toString() {
        return id() + " of " + customer + " (" + status + ", " + lines.size() + " lines)";
    }

    private record Wanted(Product product, int quantity) {
        Wanted {
            if (quantity < 1) {
                throw new IllegalArgumentException("quantity: " + quantity);
            }
        }
    }

    /** One product in an order. Knows its order. */
    public class Line {

        private final Product product;
        private int quantity;

        Line(Product product, int quantity) {
            this.product = product;
            this.quantity = quantity;
        }

        public Product product() {
            return product;
        }

        public int quantity() {
            return quantity;
        }

        public int position() {
            return lines.indexOf(this) + 1;
        }

        public void remove() {
            lines.remove(this);
            Order.this.touch();
        }
    }

    /** Collects the parts of an order. */
    public static class Builder {

        private final Identifier<Order> id;
        private final List<Wanted> wanted = new ArrayList<>();
        private String customer;
        private Instant createdAt = Instant.EPOCH;

        Builder(Identifier<Order> id) {
            this.id = id;
        }

        public Builder customer(String customer) {
            this.customer = customer;
            return this;
        }

        public Builder createdAt(Instant createdAt) {
            this.createdAt = createdAt;
            return this;
        }

        public Builder line(Product product, int quantity) {
            wanted.add(new Wanted(product, quantity));
            return this;
        }

        public Order build() {
            return new Order(this);
        }
    }
}
