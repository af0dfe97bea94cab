package dev.caisson.acceptance.bench;

import dev.caisson.acceptance.wire.Answer;
import dev.caisson.acceptance.wire.Connection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Someone who takes part, and the one request it is sent.
///
/// @param body with a place for the id, because no two requests of a session may share one
record Contest(String name, int port, Map<String, String> headers, String body) {
    static final String TOOL = "test_add";

    static final String INPUT =
            """
            {"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},
             "required":["a","b"],"additionalProperties":false}
            """;

    static final String OUTPUT =
            """
            {"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}
            """;

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\
            """;

    private static final String INITIALIZED =
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}\
            """;

    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"test_add",\
            "arguments":{"a":1,"b":2}%s}}\
            """;

    private static final String META =
            """
            ,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}\
            """;

    /// A client of 2025-11-25: it shakes hands first and then names its session.
    static Contest legacy(String name, int port, Map<String, String> extra) throws IOException {
        var headers = headers(port, extra);
        var session = open(port, headers);
        headers.put("Mcp-Session-Id", session);
        headers.put("MCP-Protocol-Version", "2025-11-25");
        return new Contest(name, port, headers, CALL.formatted(""));
    }

    /// A client of 2026-07-28: every request stands alone.
    static Contest modern(String name, int port, Map<String, String> extra) {
        var headers = headers(port, extra);
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", "tools/call");
        headers.put("Mcp-Name", TOOL);
        return new Contest(name, port, headers, CALL.formatted(META));
    }

    /// The headers of a client of 2026-07-28 that listens.
    static Map<String, String> listening(int port, Map<String, String> extra) {
        var headers = headers(port, extra);
        headers.put("MCP-Protocol-Version", "2026-07-28");
        headers.put("Mcp-Method", "subscriptions/listen");
        return headers;
    }

    private static Map<String, String> headers(int port, Map<String, String> extra) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Host", "localhost:" + port);
        headers.put("Content-Type", "application/json");
        headers.put("Accept", "application/json, text/event-stream");
        headers.putAll(extra);
        return headers;
    }

    private static String open(int port, Map<String, String> headers) throws IOException {
        var session = tell(port, headers, INITIALIZE).header("Mcp-Session-Id").orElseThrow();
        var told = new LinkedHashMap<>(headers);
        told.put("Mcp-Session-Id", session);
        tell(port, told, INITIALIZED);
        return session;
    }

    /// On a connection of its own: a server may close one after it has answered.
    private static Answer tell(int port, Map<String, String> headers, String body)
            throws IOException {
        try (var connection = new Connection(port)) {
            connection.send(post(headers, body));
            return connection.answer();
        }
    }

    /// The request one of several connections sends. It counts its ids up from here, so that no two
    /// of a session are the same, also in another round.
    ///
    /// @param round any number below 1000
    byte[] request(int connection, int round) {
        return post(headers, body.replace("ID", "1%03d%03d000000".formatted(round, connection)));
    }

    static byte[] post(Map<String, String> headers, String body) {
        return Connection.request("POST /mcp", headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
