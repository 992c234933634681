package shop.orders;

import java.util.List;
import shop.core.InMemoryRepository;
import shop.core.Repository;

/** Keeps orders. */
public interface OrderRepository extends Repository<Order> {

    default List<Order> findByCustomer(String customer) {
        return findAll(order -> order.customer().equals(customer));
    }

    default List<Order> findByStatus(OrderStatus status) {
        return findAll(order -> order.status() == status);
    }

    static OrderRepository inMemory() {
        class Orders extends InMemoryRepository<Order> implements OrderRepository {
        }
        return new Orders();
    }
}
