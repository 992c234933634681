package shop.orders;

/** Hears about orders. Every method does nothing unless it is overridden. */
public interface OrderListener {

    default void onEvent(OrderEvent event) {
        if (event instanceof OrderEvent.Placed placed) {
            onPlaced(placed);
        } else if (event instanceof OrderEvent.Cancelled cancelled) {
            onCancelled(cancelled);
        }
    }

    default void onPlaced(OrderEvent.Placed event) {
    }

    default void onCancelled(OrderEvent.Cancelled event) {
    }
}
