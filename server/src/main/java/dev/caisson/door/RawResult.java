package dev.caisson.door;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Content;
import dev.caisson.call.ResourceContents;
import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Result of a tool as it came, with the words of the Model Context Protocol, for programs that ask
/// for it.
final class RawResult {
    private RawResult() {}

    static ObjectNode of(ToolResult result) {
        var json = Json.object();
        var content = json.putArray("content");
        result.content().forEach(item -> content.add(of(item)));
        result.structured().ifPresent(value -> json.set("structuredContent", value));
        return json.put("isError", result.failed());
    }

    private static ObjectNode of(Content content) {
        return switch (content) {
            case Content.Text(var text) -> typed("text").put("text", text);
            case Content.Image(var data, var type) -> binary("image", data, type);
            case Content.Audio(var data, var type) -> binary("audio", data, type);
            case Content.Output(var data) -> with(typed("output"), "data", data);
            case Content.Embedded(var resource) ->
                    with(typed("resource"), "resource", of(resource));
            case Content.Link link ->
                    typed("resource_link").put("uri", link.uri()).put("name", link.name());
        };
    }

    private static ObjectNode of(ResourceContents contents) {
        var json = Json.object().put("uri", contents.uri()).put("mimeType", contents.mimeType());
        return switch (contents) {
            case ResourceContents.Text text -> json.put("text", text.text());
            case ResourceContents.Blob blob -> json.put("blob", blob.blob());
        };
    }

    private static ObjectNode typed(String type) {
        return Json.object().put("type", type);
    }

    private static ObjectNode binary(String type, String data, String mimeType) {
        return typed(type).put("data", data).put("mimeType", mimeType);
    }

    private static ObjectNode with(ObjectNode json, String member, ObjectNode value) {
        json.set(member, value);
        return json;
    }
}
