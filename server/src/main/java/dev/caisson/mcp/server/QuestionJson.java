package dev.caisson.mcp.server;

import dev.caisson.call.Question;
import dev.caisson.json.Json;
import dev.caisson.rpc.Revision;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Questions as the protocol asks them, and whether an answer has the shape of one.
public final class QuestionJson {
    private static final Set<String> ACTIONS = Set.of("accept", "decline", "cancel");

    private QuestionJson() {}

    public static String method(Question question) {
        return switch (question) {
            case Question.Form _, Question.Visit _ -> "elicitation/create";
            case Question.Sample _ -> "sampling/createMessage";
            case Question.Roots _ -> "roots/list";
        };
    }

    public static ObjectNode params(Question question, Revision revision) {
        return switch (question) {
            case Question.Form form -> form(form, revision);
            case Question.Visit visit -> visit(visit, revision);
            case Question.Sample sample -> sample.params();
            case Question.Roots _ -> Json.object();
        };
    }

    private static ObjectNode form(Question.Form form, Revision revision) {
        var params = Json.object();
        if (revision.atLeast(Revision.R2025_11_25)) {
            params.put("mode", "form");
        }
        params.put("message", form.message());
        params.set("requestedSchema", form.schema());
        return params;
    }

    private static ObjectNode visit(Question.Visit visit, Revision revision) {
        var params = Json.object().put("mode", "url").put("message", visit.message());
        params.put("url", visit.url());
        return revision.modern()
                ? params
                : params.put("elicitationId", UUID.randomUUID().toString());
    }

    /// As it stands inside a result that asks for input.
    static ObjectNode inline(Question question) {
        var request = Json.object().put("method", method(question));
        var params = params(question, Revision.R2026_07_28);
        if (!params.isEmpty()) {
            request.set("params", params);
        }
        return request;
    }

    /// What is wrong with an answer, if anything is.
    public static Optional<String> complaint(Question question, JsonNode answer) {
        if (!answer.isObject()) {
            return Optional.of("must be an object");
        }
        return switch (question) {
            case Question.Form _, Question.Visit _ -> elicited(answer);
            case Question.Sample _ -> sampled(answer);
            case Question.Roots _ ->
                    must(answer.path("roots").isArray(), "must have an array \"roots\"");
        };
    }

    private static Optional<String> elicited(JsonNode answer) {
        if (!ACTIONS.contains(answer.path("action").stringValue(""))) {
            return Optional.of("must have an \"action\": accept, decline or cancel");
        }
        return must(
                !answer.has("content") || answer.path("content").isObject(),
                "must have an object as \"content\"");
    }

    private static Optional<String> sampled(JsonNode answer) {
        var content = answer.path("content");
        return must(
                answer.path("role").isString() && (content.isObject() || content.isArray()),
                "must have a \"role\" and \"content\"");
    }

    private static Optional<String> must(boolean holds, String complaint) {
        return holds ? Optional.empty() : Optional.of(complaint);
    }
}
