package dev.caisson.mcp.legacy;

import dev.caisson.call.Question;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.server.QuestionJson;
import dev.caisson.mcp.server.RequestContext;
import dev.caisson.rpc.Rpc;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Asks a legacy client: requests of our own on the stream of the request that causes them.
public final class ServerRequests {
    private ServerRequests() {}

    /// @throws Refusal TIMED_OUT when the client takes too long
    public static Map<String, JsonNode> ask(
            RequestContext context, Map<String, Question> questions, Duration timeout)
            throws InterruptedException {
        var peer =
                context.peer()
                        .orElseThrow(() -> new IllegalStateException("a legacy client is a peer"));
        var revision = context.codec().revision();
        var pending = new LinkedHashMap<String, PendingRequest>();
        try {
            questions.forEach((key, question) ->
                    pending.put(
                            key,
                            peer.ask(
                                    context.outlet(),
                                    QuestionJson.method(question),
                                    QuestionJson.params(question, revision))));
            return answers(questions, pending, timeout);
        } finally {
            pending.values().forEach(one -> withdraw(context, one));
        }
    }

    private static Map<String, JsonNode> answers(
            Map<String, Question> questions, Map<String, PendingRequest> pending, Duration timeout)
            throws InterruptedException {
        var answers = new LinkedHashMap<String, JsonNode>();
        for (var one : pending.entrySet()) {
            var answer = one.getValue().await(timeout);
            var question = questions.get(one.getKey());
            if (question != null) {
                QuestionJson.complaint(question, answer)
                        .ifPresent(complaint -> {
                            throw new Refusal(
                                    Reason.INVALID_ARGUMENT, "The client's answer " + complaint);
                        });
            }
            answers.put(one.getKey(), answer);
        }
        return answers;
    }

    /// A question nobody waits for any more is taken back.
    private static void withdraw(RequestContext context, PendingRequest pending) {
        pending.close();
        if (!pending.done()) {
            context.outlet()
                    .send(
                            Rpc.notification(
                                    "notifications/cancelled",
                                    Json.object().put("requestId", pending.id())));
        }
    }
}
