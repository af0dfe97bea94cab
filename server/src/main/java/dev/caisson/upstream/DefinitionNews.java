package dev.caisson.upstream;

import java.util.List;
import java.util.Set;

/// Listener that is told when the definitions of an upstream are others than before.
@FunctionalInterface
public interface DefinitionNews {
    /// @param changed as they stand now, new ones too
    /// @param gone names of those of which nothing is kept
    void told(String upstream, List<ReviewedTool> changed, Set<String> gone)
            throws InterruptedException;
}
