package dev.caisson.upstream;

import dev.caisson.call.Question;
import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Check of the forms of an upstream: which may be shown to people at all, and which answers go
/// back. A form is flat, small, and asks for nothing that sounds like a secret.
final class FormCheck {
    static final int MEMBERS_MAX = 32;
    static final int BYTES_MAX = 16 << 10;

    private static final Set<String> PLAIN = Set.of("string", "number", "integer", "boolean");

    /// In any text of a form. The names of members are looked at more closely.
    private static final Pattern SECRET =
            Pattern.compile(
                    "pass(word|phrase|code)|passwor[td]|secret|credential|token|api[ _-]?key|private key"
                            + "|\\b(pin|otp|cvv|cvc|ssn|iban)\\b|card number|one[ -]time code",
                    Pattern.CASE_INSENSITIVE);

    private FormCheck() {}

    /// The form as people read it; empty for one that is not shown.
    ///
    /// @param params of `elicitation/create`
    static Optional<Question.Form> form(String server, ObjectNode params) {
        var schema = params.path("requestedSchema");
        boolean sound =
                params.path("mode").stringValue("form").equals("form")
                        && params.path("message").isString()
                        && Json.bytes(params).length <= BYTES_MAX
                        && schema.path("type").stringValue("").equals("object")
                        && schema.path("properties").isObject()
                        && schema.path("properties").size() <= MEMBERS_MAX
                        && schema.path("properties").valueStream().allMatch(FormCheck::isFlat)
                        && !asksForSecret(params.path("message"))
                        && !soundsSecret(schema);
        return sound && compiles(schema)
                ? Optional.of(
                        new Question.Form(
                                "The server %s asks: %s"
                                        .formatted(
                                                server,
                                                CleanText.description(
                                                        params.path("message").stringValue())),
                                CleanSchema.of(schema)))
                : Optional.empty();
    }

    private static boolean isFlat(JsonNode member) {
        var type = member.path("type").stringValue("");
        return PLAIN.contains(type)
                || (type.equals("array") && !member.path("items").has("properties"));
    }

    private static boolean soundsSecret(JsonNode schema) {
        for (var member : schema.path("properties").properties()) {
            if (SecretWords.isSecret(member.getKey())
                    || member.getValue().path("format").stringValue("").equals("password")
                    || anyText(member.getValue())) {
                return true;
            }
        }
        return asksForSecret(schema.path("title")) || asksForSecret(schema.path("description"));
    }

    private static boolean anyText(JsonNode node) {
        return node.isContainer()
                ? node.valueStream().anyMatch(FormCheck::anyText)
                : asksForSecret(node);
    }

    private static boolean asksForSecret(JsonNode text) {
        return text.isString() && SECRET.matcher(text.stringValue()).find();
    }

    private static boolean compiles(JsonNode schema) {
        try {
            Schema.of(schema);
            return true;
        } catch (IllegalArgumentException unusable) {
            return false;
        }
    }

    /// The answer that goes back: what was left out gets the default of the form, and what does not
    /// fit the form is no answer.
    ///
    /// @param form as the upstream sent it
    /// @param given the client's result
    static ObjectNode answer(ObjectNode form, JsonNode given) {
        var action = given.path("action").stringValue("cancel");
        if (!action.equals("accept")) {
            return Json.object().put("action", action.equals("decline") ? action : "cancel");
        }
        var schema = form.path("requestedSchema");
        var content = Json.object();
        for (var member : schema.path("properties").properties()) {
            Optional.ofNullable(given.path("content").get(member.getKey()))
                    .or(() -> Optional.ofNullable(member.getValue().get("default")))
                    .ifPresent(value -> content.set(member.getKey(), value));
        }
        if (!Schema.of(schema).complaints(content).isEmpty()) {
            return Json.object().put("action", "cancel");
        }
        var answer = Json.object().put("action", action);
        answer.set("content", content);
        return answer;
    }
}
