package dev.caisson.mcp.server;

import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Content as the protocol writes it.
final class ContentJson {
    private ContentJson() {}

    static ObjectNode of(Content content) {
        return switch (content) {
            case Content.Text text -> typed("text").put("text", text.text());
            case Content.Image image ->
                    typed("image").put("data", image.data()).put("mimeType", image.mimeType());
            case Content.Audio audio ->
                    typed("audio").put("data", audio.data()).put("mimeType", audio.mimeType());
            case Content.Output output -> output(output);
            case Content.Embedded embedded -> embedded(embedded);
            case Content.Link link -> link(link);
        };
    }

    private static ObjectNode typed(String type) {
        return Json.object().put("type", type);
    }

    private static ObjectNode output(Content.Output output) {
        var json = typed("output");
        json.set("data", output.data());
        return json;
    }

    private static ObjectNode embedded(Content.Embedded embedded) {
        var json = typed("resource");
        json.set("resource", of(embedded.resource()));
        return json;
    }

    private static ObjectNode link(Content.Link link) {
        var json = typed("resource_link").put("uri", link.uri()).put("name", link.name());
        link.description().ifPresent(text -> json.put("description", text));
        link.mimeType().ifPresent(type -> json.put("mimeType", type));
        link.size().ifPresent(size -> json.put("size", size));
        return json;
    }

    static ObjectNode of(ResourceContents contents) {
        var json = Json.object().put("uri", contents.uri()).put("mimeType", contents.mimeType());
        return switch (contents) {
            case ResourceContents.Text text -> json.put("text", text.text());
            case ResourceContents.Blob blob -> json.put("blob", blob.blob());
        };
    }
}
