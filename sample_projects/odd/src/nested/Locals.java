package nested;

import java.util.function.IntSupplier;

class Locals {

    int method(int n) {
        class Counter {
            int count;

            Counter() {
                count = n;
            }

            class Inside {
                int deeper() {
                    return count;
                }
            }
        }
        record Pair(int left, int right) {
            Pair {
                assert left <= right;
            }

            int sum() {
                return left + right;
            }
        }
        enum Side { LEFT, RIGHT }
        interface Chooser {
            int choose(Side side);
        }
        abstract class Base implements Chooser {
        }
        Chooser chooser = new Base() {
            public int choose(Side side) {
                return side.ordinal();
            }
        };
        if (n > 0) {
            final class Counter2 extends Counter {
            }
            return new Counter2().count;
        }
        return new Pair(chooser.choose(Side.LEFT), n).sum() + new Counter().new Inside().deeper();
    }

    Locals() {
        class InConstructor implements IntSupplier {
            public int getAsInt() {
                return 1;
            }
        }
        new InConstructor();
    }

    static int method() {
        record Pair(String same, String name) {}
        return new Pair("a", "b").hashCode();
    }
}
