package dev.caisson.rest.runs;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Action;
import dev.caisson.rest.route.BodyShape;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.ExecutionReport;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls of tools for routes: through the broker, like every other door, with the structured result
/// as the answer.
public record ToolDoor(Broker broker) {
    /// What the tool takes, as it is now.
    public BodyShape input(String tool, String name) {
        return new BodyShape(
                name, schema(() -> broker.tool(Caller.LOCAL, tool).orElseThrow().inputSchema()));
    }

    /// What it gives.
    public BodyShape output(String tool, String name) {
        return new BodyShape(
                name,
                schema(() ->
                        broker.tool(Caller.LOCAL, tool)
                                .flatMap(spec -> spec.outputSchema())
                                .orElseThrow()));
    }

    /// The group of tools it is in.
    public String toolset(String tool) {
        return broker.tool(Caller.LOCAL, tool).orElseThrow().toolset();
    }

    /// Whether anybody can call it.
    public boolean exists(String tool) {
        return broker.tool(Caller.LOCAL, tool).isPresent();
    }

    private static Supplier<ObjectNode> schema(Supplier<ObjectNode> schema) {
        return () -> schema.get().deepCopy();
    }

    public JsonNode call(RouteRequest ask, String tool, ObjectNode arguments)
            throws InterruptedException {
        return DisconnectWatch.whileHere(
                ask.exchange(), () -> call(RestConversation.inline(ask), tool, arguments));
    }

    /// The whole result of a tool as it was found, while its client is here.
    public ToolResult result(RouteRequest ask, ToolLookup tool, ObjectNode arguments)
            throws InterruptedException {
        return DisconnectWatch.whileHere(
                ask.exchange(), () -> broker.call(RestConversation.inline(ask), tool, arguments));
    }

    JsonNode call(Call call, String tool, ObjectNode arguments) throws InterruptedException {
        var result = broker.call(call, tool, arguments);
        return result.structured()
                .orElseThrow(() -> new IllegalStateException(tool + " gave nothing structured"));
    }

    /// Runs a program.
    RunResult run(Call call, ObjectNode arguments) throws InterruptedException {
        var result = broker.call(call, ExecuteRoutes.TOOL, arguments);
        return result.report()
                .map(ExecutionReport.class::cast)
                .map(report -> RunResult.of(report, shown(report, result, arguments)))
                .orElseThrow(() -> new IllegalStateException("a run gave no report"));
    }

    private static JsonNode shown(ExecutionReport report, ToolResult result, ObjectNode arguments) {
        var json = Records.tree(report);
        return arguments.path("display").asBoolean(false)
                ? ShownPictures.in(json, result.content())
                : json;
    }

    /// A route that is a tool without arguments.
    public Action plain(String tool) {
        return ask -> Response.ok(call(ask, tool, Json.object()));
    }
}
