package nested;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Constructors of inner classes, qualified creation, and receiver parameters. */
class Receivers<T> {

    @Target(ElementType.TYPE_USE)
    @interface Here {}

    class Inner {

        final int value;

        Inner(Receivers<T> Receivers.this) {
            this.value = 0;
        }

        Inner(@Here Receivers<T> Receivers.this, int value) {
            this.value = value;
        }

        class Innermost {
            Innermost(Receivers<T>.Inner Receivers.Inner.this, T value) {
            }
        }

        int get(Receivers<T>.@Here Inner this) {
            return value;
        }
    }

    class SubInner extends Inner {
    }

    static class Detached extends Receivers<String>.Inner {
        Detached(Receivers<String> outer) {
            outer.super(1);
        }
    }

    Inner make(@Here Receivers<T> this, int value) {
        return this.new Inner(value);
    }
}
