package dev.caisson.sandbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test whose sandboxes are made in nests.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InNests {}
