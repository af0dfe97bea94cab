package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.Transition;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Transition that ends an execution.
///
/// @param data the completion, as it is stored
/// @param output that is kept in the execution's row, where it is small
/// @param bytes it adds to what the execution takes
/// @param at when it ended, in milliseconds since 1970
@SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
record EndTransition(
        Completion completion, JsonNode data, Optional<byte[]> output, long bytes, long at) {
    private static final String SERVER = "server";

    static EndTransition of(Completion completion, Optional<byte[]> output, long at) {
        var data = Records.tree(completion);
        var stored = output.map(form -> (long) form.length).orElseGet(completion::spooledBytes);
        return new EndTransition(
                completion,
                data,
                output,
                stored + completion.valueBytes() + Json.bytes(data).length,
                at);
    }

    Instant moment() {
        return Instant.ofEpochMilli(at);
    }

    Transition step() {
        var state = completion.ended().status().word();
        return new Transition(state, data, SERVER, completion.ended().sentence().orElse(state));
    }

    /// On an execution that is in the database.
    Effect effect() {
        return (handle, process) -> ExecutionRows.end(handle, process.id(), this);
    }
}
