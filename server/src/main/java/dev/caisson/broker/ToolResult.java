package dev.caisson.broker;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What a tool hands back. A tool that ran and failed says so with `failed`; that is a result, not
/// an exception.
///
/// @param structured conforms to the tool's output schema, if it has one
public record ToolResult(List<Content> content, Optional<JsonNode> structured, boolean failed) {
    public ToolResult {
        content = List.copyOf(content);
    }

    public static ToolResult text(String text) {
        return new ToolResult(List.of(Content.text(text)), Optional.empty(), false);
    }

    public static ToolResult failure(String text) {
        return new ToolResult(List.of(Content.text(text)), Optional.empty(), true);
    }

    /// A structured value, with the same JSON as text for clients that read only text.
    public static ToolResult structured(JsonNode value) {
        return new ToolResult(List.of(Content.text(Json.text(value))), Optional.of(value), false);
    }
}
