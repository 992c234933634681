package documented;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Promises not to change. */
@Target({ElementType.PACKAGE, ElementType.TYPE})
public @interface Stable {
    String since();
}
