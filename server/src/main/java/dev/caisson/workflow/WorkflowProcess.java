package dev.caisson.workflow;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Process of a workflow, something that takes time: its state now, and the data that belongs to
/// it.
///
/// @param id unguessable
/// @param owner the id of the caller it belongs to
/// @param data what belongs to the state: a result, an error, open questions
/// @param keep how long it is kept after it was made; empty means for ever
public record WorkflowProcess(
        String id,
        Definition definition,
        String owner,
        String state,
        JsonNode data,
        Instant created,
        Instant updated,
        Optional<Duration> keep) {
    public boolean is(Definition what) {
        return definition.equals(what);
    }

    public boolean ended() {
        return definition.isTerminal(state);
    }
}
