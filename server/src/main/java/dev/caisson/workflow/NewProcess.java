package dev.caisson.workflow;

import dev.caisson.json.Json;
import java.time.Instant;
import java.util.Optional;

/// A process whose id was chosen before it is in the database, which must be fresh and unguessable.
/// It is kept until somebody forgets it.
///
/// @param at to the millisecond
public record NewProcess(String id, Definition definition, String owner, Instant at) {
    WorkflowProcess process() {
        return new WorkflowProcess(
                id,
                definition,
                owner,
                definition.initial(),
                Json.object(),
                at,
                at,
                Optional.empty());
    }
}
