package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.caisson.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Speaks both eras to a [TestServer], message by message.
public final class TestClient implements AutoCloseable {
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/logLevel\":\"info\",\"progressToken\":\"p\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},"
                    + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI base;
    private final String name;
    Optional<String> session = Optional.empty();

    public TestClient(TestServer server, String name) {
        this.base = server.listener.address();
        this.name = name;
    }

    HttpRequest.Builder request(String path) {
        var request =
                HttpRequest.newBuilder(base.resolve(path))
                        .header("Authorization", name)
                        .header("Accept", "application/json, text/event-stream");
        session.ifPresent(id -> request.header("Mcp-Session-Id", id));
        return request;
    }

    HttpRequest.Builder post(String path, String body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    /// @param params members of `params`, without braces
    public HttpRequest.Builder modern(String id, String method, String mirrored, String params) {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s%s}}"
                        .formatted(id, method, params.isEmpty() ? "" : params + ",", META);
        var request =
                post("/mcp", body)
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method);
        return mirrored.isEmpty() ? request : request.header("Mcp-Name", mirrored);
    }

    HttpRequest.Builder modernTool(String id, String tool) {
        return modern(id, "tools/call", tool, "\"name\":\"%s\"".formatted(tool));
    }

    HttpRequest.Builder legacy(String id, String method, String params) {
        return post(
                "/mcp",
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s}}"
                        .formatted(id, method, params));
    }

    HttpRequest.Builder legacyTool(String id, String tool) {
        return legacy(
                id,
                "tools/call",
                "\"name\":\"%s\",\"_meta\":{\"progressToken\":1}".formatted(tool));
    }

    /// Makes the handshake and keeps the session.
    JsonNode initialize() throws Exception {
        var response =
                send(
                        legacy(
                                "0",
                                "initialize",
                                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{"
                                        + "\"elicitation\":{}},\"clientInfo\":{\"name\":\"t\","
                                        + "\"version\":\"1\"}"));
        session = response.headers().firstValue("Mcp-Session-Id");
        return Json.parse(response.body());
    }

    void notifyCancelled(String id) throws Exception {
        send(
                post(
                        "/mcp",
                        ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                        + "\"params\":{\"requestId\":%s}}")
                                .formatted(id)));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /// The response, from whichever form of answer.
    JsonNode answer(HttpRequest.Builder request) throws Exception {
        var messages = messages(request);
        return messages.getLast();
    }

    /// Every message of an answer.
    List<JsonNode> messages(HttpRequest.Builder request) throws Exception {
        return parse(send(request));
    }

    /// Every message of an answer that is there.
    List<JsonNode> parse(HttpResponse<String> response) {
        if (!isStream(response)) {
            return List.of(Json.parse(response.body()));
        }
        return response.body()
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.parse(line.substring("data: ".length())))
                .toList();
    }

    private static boolean isStream(HttpResponse<?> response) {
        return response.headers().firstValue("Content-Type").orElse("").startsWith("text/event");
    }

    Stream open(HttpRequest.Builder request) throws Exception {
        return new Stream(http.send(request.build(), BodyHandlers.ofInputStream()));
    }

    /// An answer that is read line by line.
    static final class Stream implements AutoCloseable {
        final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        Stream(HttpResponse<InputStream> response) {
            this.response = response;
            this.lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
        }

        /// The next message, past comments and empty events; empty at the end.
        Optional<JsonNode> next() throws IOException {
            return line("data: {").map(line -> Json.parse(line.substring("data: ".length())));
        }

        /// The next line that begins so.
        Optional<String> line(String start) throws IOException {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(start)) {
                    return Optional.of(line);
                }
            }
            return Optional.empty();
        }

        List<String> rest() {
            return new ArrayList<>(lines.lines().toList());
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
