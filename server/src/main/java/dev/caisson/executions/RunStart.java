package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.NewProcess;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/// Start of an execution, as it is written to the journal and the database.
///
/// @param at in milliseconds since 1970
/// @param code if programs are kept
record RunStart(String id, String owner, long at, ExecutionRequest request, Optional<String> code) {
    NewProcess birth() {
        return new NewProcess(id, Definition.EXECUTION, owner, Instant.ofEpochMilli(at));
    }

    /// @param name an id, or that of a trace
    boolean isCalled(String name) {
        return id.equals(name) || request.traceId().equals(name);
    }

    /// On the process that was started for it.
    Effect effect() {
        return (handle, _) -> ExecutionRows.insert(handle, this, Optional.empty());
    }

    /// As it is found while it runs.
    ExecutionRecord record() {
        return new ExecutionRecord(
                id,
                owner,
                ExecutionStatus.RUNNING,
                Instant.ofEpochMilli(at),
                Optional.empty(),
                request,
                code.map(Preview::of),
                code,
                Optional.empty());
    }

    byte[] form() {
        return Json.text(Records.tree(this)).getBytes(StandardCharsets.UTF_8);
    }

    static RunStart read(byte[] form) {
        return Records.read(Json.parse(new String(form, StandardCharsets.UTF_8)), RunStart.class);
    }
}
