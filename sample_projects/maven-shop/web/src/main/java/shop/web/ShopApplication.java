package shop.web;

import java.util.List;
import java.util.Map;
import shop.catalog.Catalog;
import shop.catalog.Category;
import shop.catalog.PriceCalculator;
import shop.catalog.Product;
import shop.core.CurrencyCode;
import shop.core.InMemoryRepository;
import shop.core.Money;
import shop.core.Repository;
import shop.orders.OrderRepository;
import shop.orders.OrderService;

/** Puts the parts together and answers one request. */
public final class ShopApplication {

    private ShopApplication() {
    }

    public static void main(String[] args) {
        String words = String.join(" ", args);
        System.out.println(router().handle(search(words)).body());
    }

    static Router router() {
        Catalog catalog = new Catalog(products());
        PriceCalculator calculator = new PriceCalculator();
        OrderService service =
                new OrderService(OrderRepository.inMemory(), catalog, calculator, (customer, amount) -> "receipt");
        return new Router().register(new CatalogController(catalog, calculator), new OrderController(service));
    }

    private static Repository<Product> products() {
        Repository<Product> products = new InMemoryRepository<>();
        products.save(Product.builder("T-1").name("Hammer").price(Money.of(20, CurrencyCode.EUR)).build());
        products.save(Product.builder("F-1")
                .name("Honey")
                .category(Category.FOOD)
                .price(Money.of("4.50", CurrencyCode.EUR))
                .tag("sweet", "local")
                .build());
        return products;
    }

    private static Request search(String words) {
        return new Request(Request.Method.GET, "/products", Map.of("q", List.of(words)));
    }
}
