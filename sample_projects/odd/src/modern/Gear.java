package modern;

import java.util.function.IntUnaryOperator;

enum Gear implements IntUnaryOperator {
    FIRST(1) {
        private int starts;

        @Override
        public int applyAsInt(int speed) {
            starts++;
            return speed + ratio;
        }

        class Clutch {
            enum State { OPEN, CLOSED { void slip() {} } }
        }
    },
    @Deprecated
    SECOND(2),
    /** Has an empty body. */
    THIRD(3) {},
    REVERSE;

    final int ratio;

    Gear() {
        this(-1);
    }

    Gear(int ratio) {
        this.ratio = ratio;
    }

    public int applyAsInt(int speed) {
        return speed * ratio;
    }

    enum Lever {
        UP, DOWN,
        ;

        enum Knob { ROUND, SQUARE }
    }

    enum Nothing {
    }
}
