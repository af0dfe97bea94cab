package dev.caisson.executions;

import java.util.Optional;
import java.util.function.UnaryOperator;

/// Provenance of a program, as its caller says it. It is handed back as it came.
public record Provenance(
        Optional<String> artifactId,
        Optional<String> artifactPath,
        Optional<String> ssotDocumentId,
        Optional<String> ssotCommit) {
    public static final Provenance NONE =
            new Provenance(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /// How long each of them may be.
    public static final int LENGTH_MAX = 512;

    /// @param change what is done to each of them
    public Provenance map(UnaryOperator<String> change) {
        return new Provenance(
                artifactId.map(change),
                artifactPath.map(change),
                ssotDocumentId.map(change),
                ssotCommit.map(change));
    }
}
