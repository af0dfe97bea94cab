package dev.caisson.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A text that may be written as a whole number, too, such as a size in bytes: it is read as the
/// digits of the number. [Length] bounds the text, and [Range] the number.
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrWhole {}
