package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.Step;
import tools.jackson.databind.JsonNode;

/// The last move of an execution.
///
/// @param data the completion, as it is stored
/// @param bytes it adds to what the execution takes
record End(Completion completion, JsonNode data, long bytes) {
    private static final String SERVER = "server";

    static End of(Completion completion) {
        var data = Records.tree(completion);
        return new End(completion, data, completion.storedBytes() + Json.bytes(data).length);
    }

    Step step() {
        var state = completion.status().word();
        return new Step(state, data, SERVER, completion.error().orElse(state));
    }

    /// On an execution that is in the database.
    Effect effect() {
        return (handle, process) -> ExecutionRows.end(handle, process.id(), this);
    }
}
