package dev.caisson.broker;

import dev.caisson.call.Content;
import dev.caisson.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Result of a tool call. A tool that ran and failed says so with `failed`; that is a result, not
/// an exception. Content and structured value are what a model reads, and short.
///
/// @param structured conforms to the tool's output schema, if it has one
/// @param report the whole of which the structured value is what a model needs, for doors that show
///   all of it; empty when the value was changed after the tool made it
/// @param meta what programs read beside the result, by the names under which it goes along
public record ToolResult(
        List<Content> content,
        Optional<JsonNode> structured,
        boolean failed,
        Optional<Record> report,
        Map<String, Record> meta) {
    public ToolResult {
        content = List.copyOf(content);
        meta = Map.copyOf(meta);
    }

    public ToolResult(List<Content> content, Optional<JsonNode> structured, boolean failed) {
        this(content, structured, failed, Optional.empty(), Map.of());
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
