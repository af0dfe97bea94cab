package dev.caisson;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// MCP server at an address, of the revisions before the modern ones. Every tool says `rain` and
/// what credential it was sent.
final class HttpUpstream implements AutoCloseable {
    /// Definitions of its tools; a test changes them.
    final List<ObjectNode> tools = new CopyOnWriteArrayList<>();

    final RawHttpServer server;

    private final AtomicInteger calls = new AtomicInteger();

    HttpUpstream(String... names) throws IOException {
        for (var name : names) {
            tools.add(tool(name, "About the weather of a city."));
        }
        server = new RawHttpServer(this::answer);
    }

    static ObjectNode tool(String name, String description) {
        var tool = Json.object().put("name", name).put("description", description);
        tool.putObject("inputSchema").put("type", "object");
        return tool;
    }

    /// How many calls of its tools came.
    int calls() {
        return calls.get();
    }

    String url() {
        return server.address("/mcp").toString();
    }

    /// Answers a request to it, also where another listens.
    void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        if (!request.method().equals("POST")) {
            out.write(RawHttpServer.answer(405, "text/plain", new byte[0]));
            return;
        }
        var message = Json.parse(request.body());
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", message.path("id"));
        switch (message.path("method").asString("")) {
            case "initialize" -> {
                var result = answer.putObject("result").put("protocolVersion", "2025-11-25");
                result.putObject("capabilities").putObject("tools");
                result.putObject("serverInfo").put("name", "weather").put("version", "1");
            }
            case "tools/list" -> answer.putObject("result").putArray("tools").addAll(tools);
            case "tools/call" -> {
                calls.incrementAndGet();
                var said = "rain; you sent " + request.header("authorization");
                answer.putObject("result")
                        .putArray("content")
                        .addObject()
                        .put("type", "text")
                        .put("text", said);
            }
            default -> {
                if (!message.has("id")) {
                    out.write(RawHttpServer.answer(202, "text/plain", new byte[0]));
                    return;
                }
                answer.putObject("error").put("code", -32000).put("message", "what?");
                out.write(RawHttpServer.answer(400, "application/json", Json.bytes(answer)));
                return;
            }
        }
        out.write(RawHttpServer.answer(200, "application/json", Json.bytes(answer)));
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
