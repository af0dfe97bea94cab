package dev.caisson.mcp;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import java.util.List;
import java.util.function.BiFunction;
import tools.jackson.databind.node.ObjectNode;

/// Name, version and instructions by which the server introduces itself.
///
/// @param instructions what a model should know before it uses the tools it sees
public record ServerInfo(
        String name,
        String title,
        String version,
        BiFunction<Caller, List<ToolSpec>, String> instructions) {
    /// One that says the same to everybody.
    public ServerInfo(String name, String title, String version, String instructions) {
        this(name, title, version, (_, _) -> instructions);
    }

    public ObjectNode json() {
        return Json.object().put("name", name).put("title", title).put("version", version);
    }
}
