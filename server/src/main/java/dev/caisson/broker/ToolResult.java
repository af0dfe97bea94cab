package dev.caisson.broker;

import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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

    /// The same with something more beside it.
    ToolResult with(String name, Record told) {
        var more = new HashMap<>(meta);
        more.put(name, told);
        return new ToolResult(content, structured, failed, report, more);
    }

    /// A structured value, with the same JSON as text for clients that read only text.
    public static ToolResult structured(JsonNode value) {
        return new ToolResult(List.of(Content.text(Json.text(value))), Optional.of(value), false);
    }

    /// How much is handed out: the contents, and the structured value as JSON.
    public long bytes() {
        var contents = content.stream().mapToLong(ToolResult::bytes).sum();
        return contents + structured.map(tree -> Json.bytes(tree).length).orElse(0);
    }

    private static long bytes(Content content) {
        return switch (content) {
            case Content.Text text -> bytes(text.text());
            case Content.Image image -> image.data().length();
            case Content.Audio audio -> audio.data().length();
            case Content.Output output -> Json.bytes(output.data()).length;
            case Content.Embedded embedded -> bytes(embedded.resource());
            case Content.Link link -> bytes(link.uri());
        };
    }

    private static long bytes(ResourceContents contents) {
        return switch (contents) {
            case ResourceContents.Text text -> bytes(text.text());
            case ResourceContents.Blob blob -> blob.blob().length();
        };
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
