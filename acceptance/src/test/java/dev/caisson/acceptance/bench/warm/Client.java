package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.product.Product;
import dev.caisson.acceptance.wire.Answer;
import dev.caisson.acceptance.wire.Connection;
import dev.caisson.acceptance.wire.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Someone with a key and a connection that is kept open.
final class Client implements AutoCloseable {
    private static final String REVISION = "2026-07-28";
    private static final String EXECUTE = "sandbox_execute";
    private static final String TRIVIAL = "list_runners";

    private static final int ANSWER_LENGTH = 300;

    private final Product product;
    private Connection connection;

    Client(Product product) throws IOException {
        this.product = product;
        this.connection = new Connection(product.port());
    }

    /// What one call gave.
    ///
    /// @param nanos from asking to the whole answer
    /// @param answer its beginning
    record Timed(long nanos, String answer, JsonNode report) {
        boolean isGood() {
            return report.path("stdout").asString("").equals("1\n")
                    && report.path("exit_code").asInt(-1) == 0;
        }

        boolean isWarm() {
            return report.path("start").asString("").equals("warm");
        }
    }

    Timed execute(Row row) throws IOException {
        return switch (row.door()) {
            case MCP -> callTool(row.arguments());
            case REST -> post(row.arguments());
        };
    }

    /// @throws IOException when the program did not print what it should
    Timed executeWell(Row row) throws IOException {
        var timed = execute(row);
        if (!timed.isGood()) {
            throw new IOException(row.name() + ": " + timed.answer());
        }
        return timed;
    }

    /// How long the first page of executions takes.
    long list() throws IOException {
        var request = Connection.request("GET /v1/executions", rest(), new byte[0]);
        long asked = System.nanoTime();
        connection.send(request);
        whole(connection.answer());
        return System.nanoTime() - asked;
    }

    /// What the server says of its packages.
    JsonNode environments() throws IOException {
        connection.send(Connection.request("GET /v1/environments", rest(), new byte[0]));
        return Json.parse(whole(connection.answer()));
    }

    private Map<String, String> rest() {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Host", "127.0.0.1:" + product.port());
        headers.put("Authorization", "Bearer " + product.key());
        headers.put("Content-Type", "application/json");
        return headers;
    }

    private Timed post(ObjectNode arguments) throws IOException {
        var request = Connection.request("POST /v1/sandbox/execute", rest(), Json.bytes(arguments));
        long asked = System.nanoTime();
        connection.send(request);
        var answer = whole(connection.answer());
        return timed(System.nanoTime() - asked, answer, Json.parse(answer));
    }

    /// A tool that does next to nothing.
    ///
    /// @return whether it answered
    boolean callTrivial() throws IOException {
        var result = Json.parse(answer(TRIVIAL, Json.object())).path("result");
        return !result.isMissingNode() && !result.path("isError").asBoolean(false);
    }

    /// @param arguments of the tool `sandbox_execute`
    private Timed callTool(ObjectNode arguments) throws IOException {
        long asked = System.nanoTime();
        var message = answer(EXECUTE, arguments);
        return timed(
                System.nanoTime() - asked, message, Json.told(Json.parse(message).path("result")));
    }

    private byte[] answer(String tool, ObjectNode arguments) throws IOException {
        var body = Json.bytes(message(tool, arguments));
        connection.send(Connection.request("POST /mcp", headers(tool), body));
        var answer = connection.answer();
        if (!answer.isEvents()) {
            return whole(answer);
        }
        var message = lastOf(answer);
        connection.close();
        connection = new Connection(product.port());
        return message;
    }

    private static Timed timed(long nanos, byte[] answer, JsonNode report) {
        var text = new String(answer, StandardCharsets.UTF_8);
        return new Timed(nanos, text.substring(0, Math.min(ANSWER_LENGTH, text.length())), report);
    }

    private static byte[] whole(Answer answer) throws IOException {
        return answer.body().readAllBytes();
    }

    /// An answer that takes long comes at the end of a stream.
    private static byte[] lastOf(Answer answer) throws IOException {
        while (true) {
            var event =
                    Event.next(answer.body())
                            .orElseThrow(() -> new IOException("the stream ended unanswered"));
            var message = event.data().isEmpty() ? Json.object() : Json.parse(event.data());
            if (message.has("id") && !message.has("method")) {
                return event.data().getBytes(StandardCharsets.UTF_8);
            }
        }
    }

    /// The values of a metric, by what stands between its braces.
    Map<String, Double> metric(String name) throws IOException {
        var values = new LinkedHashMap<String, Double>();
        try (var asking = new Connection(product.port())) {
            var host = Map.of("Host", "127.0.0.1:" + product.port());
            asking.send(Connection.request("GET /metrics", host, new byte[0]));
            var text = new String(asking.answer().body().readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> line.startsWith(name + "{"))
                    .forEach(line -> {
                        int end = line.lastIndexOf('}');
                        values.put(
                                line.substring(name.length() + 1, end),
                                Double.valueOf(line.substring(end + 1).strip()));
                    });
        }
        return values;
    }

    private Map<String, String> headers(String tool) {
        var headers = new LinkedHashMap<>(rest());
        headers.put("Accept", "application/json, text/event-stream");
        headers.put("MCP-Protocol-Version", REVISION);
        headers.put("Mcp-Method", "tools/call");
        headers.put("Mcp-Name", tool);
        return headers;
    }

    private static ObjectNode message(String tool, ObjectNode arguments) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        var params = message.putObject("params").put("name", tool);
        params.set("arguments", arguments);
        var meta = params.putObject("_meta");
        meta.put("io.modelcontextprotocol/protocolVersion", REVISION);
        meta.putObject("io.modelcontextprotocol/clientCapabilities");
        return message;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
