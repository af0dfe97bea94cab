package dev.caisson.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Size limit of a member: bytes as compact JSON in UTF-8, all that is in it included. JSON Schema
/// has no word for that: it is told as `x-max-bytes`, and the reader of the record checks it.
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface MaxBytes {
    /// The word in a schema.
    String KEYWORD = "x-max-bytes";

    int value();
}
