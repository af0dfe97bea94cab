package dev.caisson.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks a record whose members without a value are left out where it is written: an empty
/// `Optional` is absent and not `null`, and the schema of the result says so.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Sparse {}
