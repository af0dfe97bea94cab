package dev.caisson.upstream.connection;

import dev.caisson.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Upstream of ours that plays a part: well-behaved but for what its part says. The same parts are
/// played over every transport.
final class FakeUpstream {
    private static final String DISCOVERED =
            """
            {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},
             "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"1"}}}\
            """;

    private final Part part;
    private volatile Era era = Era.LEGACY;
    private final List<ObjectNode> heard = new CopyOnWriteArrayList<>();

    /// Where an upstream's messages go, one at a time, whatever bytes they are.
    @FunctionalInterface
    interface Out {
        void send(byte[] message) throws IOException;

        default void send(ObjectNode message) throws IOException {
            send(Json.bytes(message));
        }

        default void send(String message) throws IOException {
            send(message.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// What it does with a call of a tool.
    @FunctionalInterface
    interface Part {
        void called(ObjectNode call, Out out) throws IOException, InterruptedException;
    }

    FakeUpstream(Part part) {
        this.part = part;
    }

    /// Which era it speaks, and no other.
    void speaks(Era one) {
        era = one;
    }

    boolean isModern() {
        return era == Era.MODERN;
    }

    /// All that it was sent.
    List<ObjectNode> heard() {
        return List.copyOf(heard);
    }

    List<String> methods() {
        return heard.stream().map(each -> each.path("method").stringValue("")).toList();
    }

    /// Answers a message; what has no answer has none.
    void take(ObjectNode message, Out out) throws IOException, InterruptedException {
        heard.add(message);
        switch (message.path("method").stringValue("")) {
            case "server/discover" ->
                    out.send(
                            isModern()
                                    ? result(message, DISCOVERED)
                                    : error(message, -32601, "Method not found"));
            case "initialize" ->
                    out.send(
                            result(
                                    message,
                                    """
                                    {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
                                     "serverInfo":{"name":"fake","version":"1"}}\
                                    """));
            case "tools/list", "tools/call", "tasks/get", "tasks/result", "tasks/update" ->
                    part.called(message, out);
            case "ping" -> out.send(result(message, "{}"));
            default -> {
                if (message.has("id") && message.has("method")) {
                    out.send(error(message, -32601, "Method not found"));
                }
            }
        }
    }

    static ObjectNode envelope(JsonNode id) {
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", id);
        return answer;
    }

    static ObjectNode result(ObjectNode request, String result) {
        var answer = envelope(request.path("id"));
        answer.set("result", Json.parse(result));
        return answer;
    }

    static ObjectNode text(ObjectNode request, String text) {
        var answer = envelope(request.path("id"));
        answer.putObject("result")
                .putArray("content")
                .addObject()
                .put("type", "text")
                .put("text", text);
        return answer;
    }

    static ObjectNode error(ObjectNode request, int code, String message) {
        var answer = envelope(request.path("id"));
        answer.putObject("error").put("code", code).put("message", message);
        return answer;
    }
}
