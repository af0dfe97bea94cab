package dev.caisson.sandbox;

/// What a run waits for when its sandbox is ready, before its program begins. What this throws the
/// run throws, and its program never begins.
@FunctionalInterface
public interface Permit {
    Permit GIVEN = () -> {};

    void await();
}
