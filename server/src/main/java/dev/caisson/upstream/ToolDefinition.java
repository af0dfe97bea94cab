package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Definition of a tool of an upstream that passed the screen, in cleaned text. What it says is the
/// word of a stranger.
///
/// @param name as the upstream has it
/// @param hash of the definition as it was received
/// @param annotated the effect that its annotations claim
/// @param idempotent whether its annotations claim that a second call changes no more
public record ToolDefinition(
        String name,
        String hash,
        String title,
        String description,
        ObjectNode inputSchema,
        Optional<ObjectNode> outputSchema,
        ToolEffect annotated,
        boolean idempotent,
        boolean asTask) {
    static ToolDefinition of(ObjectNode received) {
        var annotations = received.path("annotations");
        var name = received.path("name").stringValue("");
        var title = text(received.path("title")).or(() -> text(annotations.path("title")));
        return new ToolDefinition(
                name,
                DefinitionHash.of(received),
                title.map(CleanText::title).filter(words -> !words.isEmpty()).orElse(name),
                text(received.path("description")).map(CleanText::description).orElse(""),
                CleanSchema.of(received.path("inputSchema")),
                received.path("outputSchema").isObject()
                        ? Optional.of(CleanSchema.of(received.path("outputSchema")))
                        : Optional.empty(),
                effect(annotations),
                annotations.path("idempotentHint").asBoolean(false),
                received.at("/execution/taskSupport").asString("").equals("required"));
    }

    private static Optional<String> text(JsonNode node) {
        return node.isString() ? Optional.of(node.stringValue()) : Optional.empty();
    }

    /// The effect that the annotations of a definition claim, also of one that cannot be used.
    static ToolEffect annotated(JsonNode received) {
        return effect(received.path("annotations"));
    }

    /// As the specification has it: a tool that says nothing may destroy something.
    private static ToolEffect effect(JsonNode annotations) {
        if (annotations.path("readOnlyHint").asBoolean(false)) {
            return ToolEffect.READ;
        }
        if (!annotations.has("readOnlyHint") && !annotations.has("destructiveHint")) {
            return ToolEffect.UNKNOWN;
        }
        return annotations.path("destructiveHint").asBoolean(true)
                ? ToolEffect.DESTROY
                : ToolEffect.WRITE;
    }
}
