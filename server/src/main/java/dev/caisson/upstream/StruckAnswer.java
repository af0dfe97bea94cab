package dev.caisson.upstream;

import dev.caisson.json.Json;
import dev.caisson.redact.Redactor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answer of an upstream without the values of its credentials. A text in it that is JSON is read
/// as programs read it: there a value may stand in other characters, such as `\/` for `/`.
record StruckAnswer(Redactor striking) {
    private static final String TEXT = "text";

    ObjectNode of(ObjectNode received) {
        var clean = (ObjectNode) striking.tree(received);
        if (!striking.isIdle()) {
            clean.path("content").forEach(this::strikeItem);
            clean.path("contents").forEach(this::strikeText);
        }
        return clean;
    }

    private void strikeItem(JsonNode item) {
        strikeText(item);
        strikeText(item.path("resource"));
    }

    private void strikeText(JsonNode item) {
        if (item instanceof ObjectNode object && object.path(TEXT).isString()) {
            var text = object.path(TEXT).stringValue();
            if (mayHide(text)) {
                object.put(TEXT, struck(text));
            }
        }
    }

    private static boolean mayHide(String text) {
        var start = text.stripLeading();
        return (start.startsWith("{") || start.startsWith("["))
                && (text.contains("\\u") || text.contains("\\/"));
    }

    private String struck(String text) {
        try {
            var parsed = Json.parse(text);
            var clean = striking.tree(parsed);
            return clean.equals(parsed) ? text : Json.text(clean);
        } catch (JacksonException noJson) {
            return text;
        }
    }
}
