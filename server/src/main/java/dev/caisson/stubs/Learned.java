package dev.caisson.stubs;

import dev.caisson.broker.ToolOrigin;
import java.time.Instant;
import java.util.Optional;

/// Source of the shapes that were learned of the results of tools which declare none.
@FunctionalInterface
public interface Learned {
    Learned NOTHING = _ -> Optional.empty();

    Optional<Shapes> of(ToolOrigin tool);

    /// When a result came last that was not as those before.
    default Optional<Instant> drifted(ToolOrigin tool) {
        return Optional.empty();
    }
}
