package dev.caisson.upstream.connection;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Result of a call as the upstream sent it: a whole object, of which nothing but its shape was
/// looked at.
public record UpstreamResult(ObjectNode result) {
    public boolean isError() {
        return result.path("isError").booleanValue(false);
    }

    /// The list of contents; missing when there is none.
    public JsonNode content() {
        return result.path("content");
    }

    /// Missing when there is none.
    public JsonNode structuredContent() {
        return result.path("structuredContent");
    }
}
