package dev.caisson.mcp.server;

import dev.caisson.broker.Prompt;
import dev.caisson.broker.ResourceSource;
import dev.caisson.json.Json;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// Resources, templates and prompts as the protocol lists them.
final class ListJson {
    private ListJson() {}

    static ObjectNode of(ResourceSource.Resource resource) {
        var json =
                Json.object()
                        .put("uri", resource.uri())
                        .put("name", resource.name())
                        .put("title", resource.title());
        resource.description().ifPresent(text -> json.put("description", text));
        json.put("mimeType", resource.mimeType());
        resource.size().ifPresent(size -> json.put("size", size));
        return json;
    }

    static ObjectNode of(ResourceSource.Template template) {
        var json =
                Json.object()
                        .put("uriTemplate", template.uriTemplate())
                        .put("name", template.name())
                        .put("title", template.title());
        template.description().ifPresent(text -> json.put("description", text));
        return json.put("mimeType", template.mimeType());
    }

    static ObjectNode of(Prompt.Spec spec) {
        var json =
                Json.object()
                        .put("name", spec.name())
                        .put("title", spec.title())
                        .put("description", spec.description());
        var arguments = json.putArray("arguments");
        for (var argument : spec.arguments()) {
            arguments
                    .addObject()
                    .put("name", argument.name())
                    .put("description", argument.description())
                    .put("required", argument.required());
        }
        return json;
    }

    static ObjectNode of(Prompt.Filled filled) {
        var json = Json.object().put("description", filled.description());
        var messages = json.putArray("messages");
        for (var message : filled.messages()) {
            messages.addObject()
                    .put("role", message.role().name().toLowerCase(Locale.ROOT))
                    .set("content", ContentJson.of(message.content()));
        }
        return json;
    }
}
