package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Records;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// A whole answer that says no, with an [ErrorBody], or with a [KeyError] where no key is known.
record ErrorAnswer(int status, Map<String, String> headers, ObjectNode body) {
    private static final String RETRY_AFTER_SECONDS = "1";

    static ErrorAnswer of(Refusal refusal, Challenges challenges) {
        var code = ErrorCode.of(refusal.reason());
        var answer = of(code.status(), body(code, refusal));
        switch (code.status()) {
            case 401 -> answer.headers.put(Challenges.HEADER, challenges.unknown(refusal));
            case 403 ->
                    challenges
                            .lacking(refusal)
                            .ifPresent(text -> answer.headers.put(Challenges.HEADER, text));
            case 429, 503 -> {
                if (refusal.isRetryable()) {
                    answer.headers.put("Retry-After", retryAfter(refusal));
                }
            }
            default -> {}
        }
        return answer;
    }

    static ErrorAnswer of(int status, String word, String message) {
        return of(status, ErrorBody.of(word, message).tree());
    }

    /// Our own fault.
    static ErrorAnswer fault(String message) {
        return of(500, ErrorBody.fault(message).tree());
    }

    private static ObjectNode body(ErrorCode code, Refusal refusal) {
        if (code.status() == 401) {
            return Records.tree(new KeyError(code.word(), refusal.sentence()));
        }
        var body = ErrorBody.of(refusal).tree();
        var attempts = body.at("/details/attempts");
        if (refusal.reason() == Reason.HANDOFF_REQUIRED && attempts.isArray()) {
            body.set("attempts", attempts);
        }
        return body;
    }

    private static ErrorAnswer of(int status, ObjectNode body) {
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/json");
        return new ErrorAnswer(status, headers, body);
    }

    private static String retryAfter(Refusal refusal) {
        return refusal.retryAfter()
                .map(wait -> String.valueOf(wait.toSeconds()))
                .orElse(RETRY_AFTER_SECONDS);
    }
}
