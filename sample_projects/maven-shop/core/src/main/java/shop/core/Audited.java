package shop.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks an operation whose calls are written to the audit trail. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Audited {

    /** Short name of the operation; the method name when empty. */
    String value() default "";

    /** How much of the call is written. */
    Detail detail() default Detail.NAME_ONLY;

    /** Names of arguments that must never be written. */
    String[] masked() default {};

    /** Amount of detail in the audit trail. */
    enum Detail {
        NAME_ONLY,
        ARGUMENTS,
        ARGUMENTS_AND_RESULT
    }
}
