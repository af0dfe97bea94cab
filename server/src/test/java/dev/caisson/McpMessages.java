package dev.caisson;

import dev.caisson.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// MCP client's half of the wire, for tests of a whole product: requests of both eras, and the
/// messages of an answer.
final class McpMessages {
    static final String MODERN = "2026-07-28";

    private static final String META = "io.modelcontextprotocol/";

    /// Members of parameters that a header repeats.
    private static final List<String> MIRRORED = List.of("name", "uri", "taskId");

    private McpMessages() {}

    /// A request of the revision without sessions. What `_meta` of the parameters has already
    /// stays.
    ///
    /// @param to the address, and a key
    static HttpRequest.Builder modern(HttpRequest.Builder to, String method, ObjectNode params) {
        var meta = meta(params);
        meta.put(META + "protocolVersion", MODERN);
        if (!meta.has(META + "clientCapabilities")) {
            meta.putObject(META + "clientCapabilities");
        }
        MIRRORED.stream()
                .filter(params::has)
                .findFirst()
                .ifPresent(name -> to.header("Mcp-Name", params.path(name).stringValue()));
        return legacy(to, method, params)
                .header("MCP-Protocol-Version", MODERN)
                .header("Mcp-Method", method);
    }

    /// The same as a line over standard input.
    static String modernLine(String method, ObjectNode params) {
        var meta = meta(params).put(META + "protocolVersion", MODERN);
        meta.putObject(META + "clientCapabilities");
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        message.set("params", params);
        return Json.text(message);
    }

    private static ObjectNode meta(ObjectNode params) {
        return params.get("_meta") instanceof ObjectNode there ? there : params.putObject("_meta");
    }

    /// A request of any revision before that.
    static HttpRequest.Builder legacy(HttpRequest.Builder to, String method, ObjectNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        message.set("params", params);
        return to.header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofString(Json.text(message)));
    }

    /// Parameters that call a tool.
    static ObjectNode tool(String name, ObjectNode arguments) {
        var params = Json.object().put("name", name);
        params.set("arguments", arguments);
        return params;
    }

    /// Parameters that ask for news of the list of tools.
    static ObjectNode toolChanges() {
        var params = Json.object();
        params.putObject("notifications").put("toolsListChanged", true);
        return params;
    }

    /// Says that the client knows tasks.
    static ObjectNode withTasks(ObjectNode params) {
        meta(params)
                .putObject(META + "clientCapabilities")
                .putObject("extensions")
                .putObject(META + "tasks");
        return params;
    }

    /// Every message of an answer, be it a stream or one object.
    static Stream<JsonNode> messages(String body) {
        return body.lines()
                .filter(line -> line.startsWith("data: {") || line.startsWith("{"))
                .map(line -> Json.parse(line.substring(line.indexOf('{'))));
    }

    /// The last message, which is the response.
    static JsonNode response(String body) {
        return messages(body)
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError("no message in: " + body));
    }
}
