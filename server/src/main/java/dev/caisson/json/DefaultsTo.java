package dev.caisson.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Default value of an absent member. Makes the member optional. Text stands as it is, anything
/// else as JSON.
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface DefaultsTo {
    String value();
}
