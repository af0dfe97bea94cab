package dev.caisson.rpc;

import dev.caisson.json.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Writes the JSON-RPC envelope.
public final class Rpc {
    private Rpc() {}

    private static ObjectNode envelope() {
        return Json.object().put("jsonrpc", "2.0");
    }

    public static ObjectNode result(RequestId id, ObjectNode result) {
        var message = envelope();
        message.set("id", id.node());
        message.set("result", result);
        return message;
    }

    public static ObjectNode error(Optional<RequestId> id, RpcError error) {
        var message = envelope();
        id.ifPresent(known -> message.set("id", known.node()));
        message.set("error", body(error));
        return message;
    }

    /// The error alone, without its envelope.
    public static ObjectNode body(RpcError error) {
        var body = Json.object().put("code", error.code()).put("message", error.message());
        error.data().ifPresent(data -> body.set("data", data));
        return body;
    }

    public static ObjectNode notification(String method, ObjectNode params) {
        var message = envelope().put("method", method);
        if (!params.isEmpty()) {
            message.set("params", params);
        }
        return message;
    }

    public static ObjectNode request(String id, String method, ObjectNode params) {
        var message = envelope().put("id", id).put("method", method);
        if (!params.isEmpty()) {
            message.set("params", params);
        }
        return message;
    }
}
