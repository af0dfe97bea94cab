package dev.caisson.cli;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Administration of approvals for the command line. Answers are those of REST.
public interface ApprovalAdmin extends AutoCloseable {
    /// The newest first, up to 200.
    ///
    /// @param all whether those are listed that were decided
    JsonNode list(boolean all);

    /// @param scope of an approval: once or always
    JsonNode decide(
            String id, boolean approve, String scope, boolean arguments, Optional<String> reason);

    /// Where they are kept.
    DataUse dataUse();

    @Override
    void close();
}
