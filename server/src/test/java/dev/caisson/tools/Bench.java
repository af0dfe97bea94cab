package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Changes;
import dev.caisson.broker.Content;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Runs;
import dev.caisson.storage.OutputLimits;
import dev.caisson.storage.Spool;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.storage.WorkspaceMaker;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools behind a real broker, so that arguments and results are checked against the schemas.
final class Bench {
    static final OutputLimits OUTPUT = new OutputLimits(64 << 10, 1 << 20);

    final Threads threads;
    final Broker broker;

    Bench(Path root, Runs runs, WorkspaceMaker maker, Profile profile) {
        threads = new Threads(root, maker);
        var spool = new Spool(root, OUTPUT, Spool.KEPT_BYTES_DEFAULT);
        var files = new WorkspaceFiles(WorkspaceFiles.Bounds.DEFAULT);
        var executions = new Executions(runs, threads, spool, files, profile);
        broker =
                new Broker(
                        List.of(
                                new SandboxExecute(executions, "9.9.9"),
                                new RunCode(executions),
                                new ListRunners(executions),
                                new OutputRead(spool, profile)),
                        List.of(),
                        List.of(),
                        new Changes());
    }

    ToolSpec spec(String name) {
        return broker.tool(Caller.LOCAL, name).orElseThrow();
    }

    ToolResult call(String name, String arguments) throws InterruptedException {
        return call(new FakeCall(Caller.LOCAL), name, (ObjectNode) Json.parse(arguments));
    }

    ToolResult call(FakeCall call, String name, ObjectNode arguments) throws InterruptedException {
        return broker.call(call, name, arguments);
    }

    ToolResult execute(String code) throws InterruptedException {
        return call("sandbox_execute", Json.text(Json.object().put("code", code)));
    }

    static JsonNode structured(ToolResult result) {
        return result.structured().orElseThrow();
    }

    static String text(ToolResult result) {
        return ((Content.Text) result.content().getFirst()).text();
    }
}
