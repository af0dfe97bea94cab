package dev.caisson.call;

import java.util.function.Predicate;

/// Change that listening callers want to hear of.
public sealed interface Change {
    /// Whom it concerns. Nobody else is told.
    Predicate<Caller> concerns();

    record Tools(Predicate<Caller> concerns) implements Change {}

    record Prompts(Predicate<Caller> concerns) implements Change {}

    record Resources(Predicate<Caller> concerns) implements Change {}

    record ResourceUpdated(String uri, Predicate<Caller> concerns) implements Change {}

    record ProcessMoved(String processId, Predicate<Caller> concerns) implements Change {}
}
