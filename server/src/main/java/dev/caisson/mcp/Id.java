package dev.caisson.mcp;

import dev.caisson.json.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The id of a request, given back exactly as it came. Two ids are the same when their JSON texts
/// are.
record Id(JsonNode node) {
    static Optional<Id> of(JsonNode node) {
        return node.isString() || node.isNumber() ? Optional.of(new Id(node)) : Optional.empty();
    }

    /// What it is kept under.
    String key() {
        return Json.text(node);
    }
}
