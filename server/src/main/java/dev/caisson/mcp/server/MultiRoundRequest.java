package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Question;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Multi-round request: it is made again until every question is answered.
///
/// What was answered or remembered in earlier rounds travels through the client in `requestState`:
/// `{"answers": {...}, "remembered": ...}`, sealed by [RequestState] so that it can neither be
/// changed nor used by another caller, for another request, or too late.
final class MultiRoundRequest {
    private final RequestState states;
    private final Caller caller;
    private final JsonNode request;
    private final ObjectNode fresh;
    private final ObjectNode answers;
    private @Nullable JsonNode remembered;

    /// @param request what the state is bound to: the method and all that decides its work
    /// @throws Refusal MALFORMED when the state is not one of ours for this
    MultiRoundRequest(
            RequestState states,
            Caller caller,
            JsonNode request,
            McpRequest.Continuation continuation) {
        this.states = states;
        this.caller = caller;
        this.request = request;
        this.fresh = continuation.inputResponses();
        var state =
                continuation
                        .requestState()
                        .map(sealed -> states.open(sealed, caller, request))
                        .orElseGet(Json::object);
        this.answers = state.withObjectProperty("answers");
        this.remembered = state.get("remembered");
    }

    Optional<JsonNode> remembered() {
        return Optional.ofNullable(remembered);
    }

    void remember(JsonNode state) {
        remembered = state;
    }

    /// @throws InputRequired when an answer is missing
    Map<String, JsonNode> ask(Map<String, Question> questions) {
        var missing = new LinkedHashMap<String, Question>();
        var given = new LinkedHashMap<String, JsonNode>();
        questions.forEach((key, question) ->
                answer(key, question)
                        .ifPresentOrElse(
                                answer -> given.put(key, answer),
                                () -> missing.put(key, question)));
        if (!missing.isEmpty()) {
            throw new InputRequired(missing);
        }
        return given;
    }

    private Optional<JsonNode> answer(String key, Question question) {
        var known = answers.get(key);
        if (known != null) {
            return Optional.of(known);
        }
        var answer = fresh.get(key);
        if (answer == null) {
            return Optional.empty();
        }
        QuestionJson.complaint(question, answer)
                .ifPresent(complaint -> {
                    throw new Refusal(
                            Reason.MALFORMED,
                            "params.inputResponses." + key + " " + complaint,
                            Map.of("member", "params.inputResponses." + key));
                });
        answers.set(key, answer);
        return Optional.of(answer);
    }

    /// What the client gets instead of a result.
    ObjectNode framed(InputRequired required, Codec codec) {
        return switch (codec) {
            case ModernCodec modern -> modern.typed("input_required", result(required));
            case LegacyCodec _ -> throw new IllegalStateException("legacy clients are asked");
        };
    }

    private ObjectNode result(InputRequired required) {
        var result = Json.object();
        var requests = result.putObject("inputRequests");
        required.questions()
                .forEach((key, question) -> requests.set(key, QuestionJson.inline(question)));
        var state = Json.object();
        state.set("answers", answers);
        remembered().ifPresent(value -> state.set("remembered", value));
        return result.put("requestState", states.seal(state, caller, request));
    }
}
