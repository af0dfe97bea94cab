package dev.caisson.mcp;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A response, and the HTTP status it has when it goes alone.
record Answer(ObjectNode message, int status) {
    static Answer result(Id id, ObjectNode result) {
        return new Answer(Rpc.result(id, result), 200);
    }

    static Answer error(Optional<Id> id, RpcError error) {
        return new Answer(Rpc.error(id, error), error.status());
    }
}
