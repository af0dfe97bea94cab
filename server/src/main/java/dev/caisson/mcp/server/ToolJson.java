package dev.caisson.mcp.server;

import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import tools.jackson.databind.node.ObjectNode;

/// Tools and their results as the protocol writes them. Schemas go out as they are.
final class ToolJson {
    /// Where a program finds why a call was refused, whatever the tool's own output schema says.
    static final String REFUSAL = "dev.caisson/refusal";

    private ToolJson() {}

    static ObjectNode of(ToolSpec spec) {
        var json =
                Json.object()
                        .put("name", spec.name())
                        .put("title", spec.title())
                        .put("description", spec.description());
        json.set("inputSchema", spec.inputSchema());
        spec.outputSchema().ifPresent(schema -> json.set("outputSchema", schema));
        json.set("annotations", hints(spec));
        if (!spec.icons().isEmpty()) {
            var icons = json.putArray("icons");
            spec.icons().forEach(icon -> icons.add(icon(icon)));
        }
        return json;
    }

    private static ObjectNode hints(ToolSpec spec) {
        var hints = spec.hints();
        return Json.object()
                .put("readOnlyHint", hints.readOnly())
                .put("destructiveHint", hints.destructive())
                .put("idempotentHint", hints.idempotent())
                .put("openWorldHint", hints.openWorld());
    }

    private static ObjectNode icon(ToolSpec.Icon icon) {
        var json = Json.object().put("src", icon.src()).put("mimeType", icon.mimeType());
        var sizes = json.putArray("sizes");
        icon.sizes().forEach(sizes::add);
        return json;
    }

    static ObjectNode of(ToolResult result) {
        var json = Json.object();
        var content = json.putArray("content");
        for (var item : result.content()) {
            content.add(ContentJson.of(item));
        }
        result.structured().ifPresent(value -> json.set("structuredContent", value));
        if (!result.meta().isEmpty()) {
            var meta = json.putObject("_meta");
            result.meta().forEach((name, figures) -> meta.set(name, Records.tree(figures)));
        }
        return json.put("isError", result.failed());
    }

    /// A call that was refused for what it asked, as a result the model can read and act on.
    ///
    /// @param result what the tool says of it
    /// @param promised whether the tool has an output schema, which the details would break
    static ObjectNode refused(Refusal refusal, ToolResult result, boolean promised) {
        var json = of(result);
        var details = Codec.details(refusal);
        if (!promised) {
            json.set("structuredContent", details);
            // Nothing failed yet. Where results have a schema, clients hold an answer of another
            // shape for broken unless it is an error.
            json.put("isError", refusal.reason() != Reason.WAITING_APPROVAL);
        }
        json.withObjectProperty("_meta").set(REFUSAL, details);
        return json;
    }
}
