package dev.caisson.sandbox;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test all of whose sandboxes are made by bubblewrap. One that is marked neither so nor as
/// [InNests] has whatever makes them by default.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InBubblewrap {}
