package dev.caisson.rest;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Call;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls tools for routes: through the broker, like every other door, with the structured result as
/// the answer.
record ToolDoor(Broker broker) {
    /// What the tool takes, as it is now.
    Shape input(String tool, String name) {
        return new Shape(
                name, schema(() -> broker.tool(Caller.LOCAL, tool).orElseThrow().inputSchema()));
    }

    /// What it gives.
    Shape output(String tool, String name) {
        return new Shape(
                name,
                schema(() ->
                        broker.tool(Caller.LOCAL, tool)
                                .flatMap(spec -> spec.outputSchema())
                                .orElseThrow()));
    }

    /// The group of tools it is in.
    String toolset(String tool) {
        return broker.tool(Caller.LOCAL, tool).orElseThrow().toolset();
    }

    private static Supplier<ObjectNode> schema(Supplier<ObjectNode> schema) {
        return () -> schema.get().deepCopy();
    }

    JsonNode call(Ask ask, String tool, ObjectNode arguments) throws InterruptedException {
        return Presence.whileHere(
                ask.exchange(), () -> call(RestCall.inline(ask), tool, arguments));
    }

    JsonNode call(Call call, String tool, ObjectNode arguments) throws InterruptedException {
        var result = broker.call(call, tool, arguments);
        return result.structured()
                .orElseThrow(() -> new IllegalStateException(tool + " gave nothing structured"));
    }

    /// A route that is a tool without arguments.
    Action plain(String tool) {
        return ask -> Response.ok(call(ask, tool, Json.object()));
    }
}
