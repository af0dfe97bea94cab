package dev.caisson.rpc;

import dev.caisson.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Request id, given back exactly as it came. Two ids are the same when their JSON texts are.
public record RequestId(JsonNode node) {
    static Optional<RequestId> of(JsonNode node) {
        return node.isString() || node.isNumber()
                ? Optional.of(new RequestId(node))
                : Optional.empty();
    }

    /// What it is kept under.
    public String key() {
        return Json.text(node);
    }
}
