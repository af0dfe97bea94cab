package dev.caisson.sandbox;

/// Permit to begin, for which a run waits when its sandbox is ready. What this throws the run
/// throws, and its program never begins.
@FunctionalInterface
public interface Permit {
    Permit GIVEN = () -> {};

    void await();
}
