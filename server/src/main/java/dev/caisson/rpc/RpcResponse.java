package dev.caisson.rpc;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// JSON-RPC response, and the HTTP status it has when it goes alone.
public record RpcResponse(ObjectNode message, int status) {
    public static RpcResponse result(RequestId id, ObjectNode result) {
        return new RpcResponse(Rpc.result(id, result), 200);
    }

    public static RpcResponse error(Optional<RequestId> id, RpcError error) {
        return new RpcResponse(Rpc.error(id, error), error.status());
    }
}
