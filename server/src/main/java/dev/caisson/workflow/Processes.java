package dev.caisson.workflow;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Store of processes. A change of state, its line of history and its data are one transaction, and
/// are durable when the method returns.
public interface Processes {
    WorkflowProcess start(
            Definition definition, String owner, JsonNode data, Optional<Duration> keep);

    /// Moves a process on.
    ///
    /// @return the process as it is now, or empty when it is not there or the move is not allowed
    ///   from where it is, which includes every move of one that has ended
    Optional<WorkflowProcess> move(
            String id, String state, JsonNode data, String actor, String reason);

    /// Only the owner finds it.
    Optional<WorkflowProcess> find(String id, String owner);

    /// Those that have not ended and whose server is gone, for another to settle.
    List<WorkflowProcess> abandoned(Definition definition);

    /// Forgets ended processes whose time is over.
    ///
    /// @return how many
    int sweep();
}
