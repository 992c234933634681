package layout;

class AnyOrder {
    int n;
}

@FunctionalInterface
interface Between {
    void act(AnyOrder order);
}

/** The public one is neither first nor last. */
public class ThreeTypes {
    int n;
}

enum Later { YES, NO }

record Row(int n) {}

@interface Mark {}
