package shop.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import shop.catalog.Catalog;
import shop.catalog.PriceCalculator;
import shop.catalog.Product;

/** The pages about products. */
public class CatalogController {

    private final Catalog catalog;
    private final PriceCalculator calculator;

    public CatalogController(Catalog catalog, PriceCalculator calculator) {
        this.catalog = catalog;
        this.calculator = calculator;
    }

    @Route(path = "/products")
    public Response search(Request request) {
        List<Product> found = catalog.search(request.parameter("q").orElse(""));
        return Response.ok(JsonWriter.write(found.stream().map(this::describe).toList()));
    }

    private Map<String, Object> describe(Product product) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("sku", product.id().value());
        row.put("name", product.name());
        row.put("price", calculator.grossPrice(product));
        return row;
    }
}
