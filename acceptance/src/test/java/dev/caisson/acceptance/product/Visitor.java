package dev.caisson.acceptance.product;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.wire.Answer;
import dev.caisson.acceptance.wire.Connection;
import dev.caisson.acceptance.wire.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Someone with a key who has programs run and calls tools.
record Visitor(Product product, Era era) {
    enum Era {
        MODERN("2026-07-28"),
        LEGACY("2025-11-25");

        private final String revision;

        Era(String revision) {
            this.revision = revision;
        }
    }

    /// A program on its way.
    ///
    /// @param language as the tool calls it
    record Job(String language, String code, ObjectNode more) {
        static Job of(String language, String code) {
            return new Job(language, code, Json.object());
        }

        Job seconds(int timeout) {
            more.put("timeout", timeout);
            return this;
        }

        Job thread(String id) {
            more.put("thread_id", id);
            return this;
        }

        private ObjectNode arguments() {
            return Json.object().put("code", code).put("language", language).setAll(more);
        }
    }

    /// Runs a program.
    ///
    /// @return what the call answered
    JsonNode run(Job job) throws IOException {
        try (var connection = send(job)) {
            return result(connection.answer());
        }
    }

    /// Asks for a run and does not wait for it.
    Connection send(Job job) throws IOException {
        return send("sandbox_execute", job.arguments());
    }

    private Connection send(String tool, ObjectNode arguments) throws IOException {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return send("/mcp", "tools/call", params);
    }

    private Connection send(String path, String method, ObjectNode params) throws IOException {
        var connection = new Connection(product.port());
        var headers = headers(method, params.path("name").asString(""));
        var body = Json.bytes(message(method, params));
        connection.send(Connection.request("POST " + path, headers, body));
        return connection;
    }

    /// The names of the tools of a toolset.
    List<String> listed(String toolset) throws IOException {
        try (var connection = send("/mcp?toolsets=" + toolset, "tools/list", Json.object())) {
            return response(connection.answer())
                    .path("tools")
                    .valueStream()
                    .map(tool -> tool.path("name").asString())
                    .toList();
        }
    }

    /// Calls a tool.
    ///
    /// @return its result as it came
    JsonNode call(String tool, ObjectNode arguments) throws IOException {
        try (var connection = send(tool, arguments)) {
            return response(connection.answer());
        }
    }

    /// The text of an operator's page.
    String page(String path) throws IOException {
        try (var connection = new Connection(product.port())) {
            connection.send(
                    Connection.request(
                            "GET " + path,
                            Map.of("Host", "127.0.0.1:" + product.port()),
                            new byte[0]));
            return new String(connection.answer().body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// What the call answered, in one piece or at the end of a stream.
    static JsonNode result(Answer answer) throws IOException {
        return Json.told(response(answer));
    }

    private static JsonNode response(Answer answer) throws IOException {
        if (!answer.isEvents()) {
            return good(Json.parse(answer.body().readAllBytes()));
        }
        while (true) {
            var event =
                    Event.next(answer.body())
                            .orElseThrow(() -> new IOException("the stream ended unanswered"));
            var message = event.data().isEmpty() ? Json.object() : Json.parse(event.data());
            if (message.has("id") && !message.has("method")) {
                return good(message);
            }
        }
    }

    private static JsonNode good(JsonNode message) {
        if (!message.has("result")) {
            throw new AssertionError("no result: " + message);
        }
        return message.path("result");
    }

    private Map<String, String> headers(String method, String name) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Host", "127.0.0.1:" + product.port());
        headers.put("Authorization", "Bearer " + product.key());
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        headers.put("MCP-Protocol-Version", era.revision);
        if (era == Era.MODERN) {
            headers.put("Mcp-Method", method);
            if (!name.isEmpty()) {
                headers.put("Mcp-Name", name);
            }
        }
        return headers;
    }

    private ObjectNode message(String method, ObjectNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
        message.set("params", params);
        if (era == Era.MODERN) {
            var meta = params.putObject("_meta");
            meta.put("io.modelcontextprotocol/protocolVersion", era.revision);
            meta.putObject("io.modelcontextprotocol/clientCapabilities");
        }
        return message;
    }
}
