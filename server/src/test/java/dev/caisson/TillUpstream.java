package dev.caisson;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.IntPredicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// MCP server that takes payments, each with a number, and counts them. A payment whose key it had
/// is not made again. Of some it breaks off when it has made them.
final class TillUpstream implements AutoCloseable {
    /// A payment that came.
    record Payment(int number, String key) {}

    final RawHttpServer server;

    /// All that came, in their order.
    final ConcurrentLinkedQueue<Payment> came = new ConcurrentLinkedQueue<>();

    /// Those that were made, by key.
    final Map<String, Integer> made = new ConcurrentHashMap<>();

    /// Has a permit for each of which it broke off.
    final Semaphore broken = new Semaphore(0);

    /// Of which it breaks off.
    volatile IntPredicate breaks = _ -> false;

    /// Whether it breaks off before it has made them.
    volatile boolean breaksBefore;

    TillUpstream() throws IOException {
        server = new RawHttpServer(this::answer);
    }

    String url() {
        return server.address("/mcp").toString();
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        var message = Json.parse(request.body());
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        switch (message.path("method").asString("")) {
            case "initialize" -> {
                var result = answer.putObject("result").put("protocolVersion", "2025-11-25");
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "till").put("version", "1");
            }
            case "tools/list" ->
                    answer.putObject("result")
                            .putArray("tools")
                            .addAll(
                                    List.of(
                                            HttpUpstream.tool("pay", "Pays."),
                                            HttpUpstream.tool("find", "Finds a payment.")));
            case "tools/call" -> answer.set("result", called(message.path("params"), request));
            default -> {
                var status = message.has("id") ? 400 : 202;
                out.write(RawHttpServer.answer(status, "text/plain", new byte[0]));
                return;
            }
        }
        out.write(RawHttpServer.answer(200, "application/json", Json.bytes(answer)));
    }

    private ObjectNode called(JsonNode params, RawHttpServer.Request request) throws IOException {
        int number = params.path("arguments").path("number").intValue(0);
        if (params.path("name").asString("").equals("find")) {
            return text("{\"found\":" + made.containsValue(number) + "}");
        }
        var key = request.header("Idempotency-Key");
        came.add(new Payment(number, key));
        boolean breaksOff = breaks.test(number);
        if (!breaksOff || !breaksBefore) {
            made.put(key, number);
        }
        if (breaksOff) {
            broken.release();
            throw new IOException("it breaks off");
        }
        return text("paid");
    }

    private static ObjectNode text(String text) {
        var result = Json.object();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
