package dev.caisson.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a component whose type is a record as flattened: its members stand in the object of the
/// record that holds it, in its place, and not in an object of their own.
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Inline {
    /// Members that are described otherwise here than by their own record.
    Text[] value() default {};

    /// Description of one member.
    @Target({})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Text {
        String member();

        String value();
    }
}
