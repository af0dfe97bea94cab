package dev.caisson.upstream;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reader of the result of a call: the same content in the words of the broker. It is data, never
/// parsed for anything else, and no link in it is fetched. An item of no known kind is its JSON.
final class CallResult {
    /// How many items of content are passed on.
    static final int ITEMS_MAX = 10_000;

    private static final String BYTES = "application/octet-stream";

    private CallResult() {}

    static ToolResult of(ObjectNode received) {
        var content = new ArrayList<Content>();
        for (var item : received.path("content")) {
            if (content.size() < ITEMS_MAX) {
                content.add(item(item));
            }
        }
        var structured =
                Optional.ofNullable(received.get("structuredContent"))
                        .filter(value -> !value.isNull());
        return new ToolResult(
                List.copyOf(content), structured, received.path("isError").asBoolean(false));
    }

    /// The contents of a resource.
    static ToolResult ofResource(ObjectNode received) {
        var content = new ArrayList<Content>();
        for (var item : received.path("contents")) {
            if (content.size() < ITEMS_MAX) {
                content.add(
                        resource(item)
                                .<Content>map(Content.Embedded::new)
                                .orElseGet(() -> other(item)));
            }
        }
        return new ToolResult(List.copyOf(content), Optional.empty(), false);
    }

    private static Content item(JsonNode item) {
        return switch (item.path("type").asString("")) {
            case "text" -> text(item, "text").map(Content::text).orElseGet(() -> other(item));
            case "image" ->
                    text(item, "data")
                            .<Content>map(data -> new Content.Image(data, mimeType(item)))
                            .orElseGet(() -> other(item));
            case "audio" ->
                    text(item, "data")
                            .<Content>map(data -> new Content.Audio(data, mimeType(item)))
                            .orElseGet(() -> other(item));
            case "resource" ->
                    resource(item.path("resource"))
                            .<Content>map(Content.Embedded::new)
                            .orElseGet(() -> other(item));
            case "resource_link" -> link(item).orElseGet(() -> other(item));
            default -> other(item);
        };
    }

    private static Optional<ResourceContents> resource(JsonNode resource) {
        var uri = text(resource, "uri").orElse("");
        return text(resource, "text")
                .<ResourceContents>map(text ->
                        new ResourceContents.Text(
                                uri, text(resource, "mimeType").orElse("text/plain"), text))
                .or(() ->
                        text(resource, "blob")
                                .map(blob ->
                                        new ResourceContents.Blob(uri, mimeType(resource), blob)));
    }

    private static Optional<Content> link(JsonNode item) {
        return text(item, "uri")
                .map(uri ->
                        new Content.Link(
                                uri,
                                text(item, "name").orElse(uri),
                                text(item, "description"),
                                text(item, "mimeType"),
                                item.path("size").isIntegralNumber()
                                        ? Optional.of(item.path("size").longValue())
                                        : Optional.empty()));
    }

    private static String mimeType(JsonNode item) {
        return text(item, "mimeType").orElse(BYTES);
    }

    private static Optional<String> text(JsonNode object, String member) {
        var value = object.path(member);
        return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    private static Content other(JsonNode item) {
        return Content.text(Json.text(item));
    }
}
