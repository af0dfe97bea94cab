package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.Step;
import tools.jackson.databind.JsonNode;

/// The last move of an execution.
///
/// @param data the completion, as it is stored
record End(Completion completion, JsonNode data) {
    private static final String SERVER = "server";

    static End of(Completion completion) {
        return new End(completion, Records.tree(completion));
    }

    Step step() {
        var state = completion.status().word();
        return new Step(state, data, SERVER, completion.error().orElse(state));
    }

    /// What it adds to what the execution takes.
    long bytes() {
        return completion.storedBytes() + Json.bytes(data).length;
    }

    /// On an execution that is in the database.
    Effect effect() {
        long bytes = bytes();
        return (handle, process) -> ExecutionRows.addBytes(handle, process.id(), bytes);
    }
}
