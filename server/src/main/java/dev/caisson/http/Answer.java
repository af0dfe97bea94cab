package dev.caisson.http;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A whole answer that says no, in the one shape all of them have:
/// `{"error":…,"message":…[,"details":…]}`.
record Answer(int status, Map<String, String> headers, ObjectNode body) {
    private static final String RETRY_AFTER_SECONDS = "1";

    static Answer of(Refusal refusal, Optional<String> resourceMetadata) {
        var code = ErrorCode.of(refusal.reason());
        var answer = of(code.status(), code.word(), refusal.sentence(), refusal.details());
        switch (code.status()) {
            case 401 -> answer.headers.put("WWW-Authenticate", challenge(resourceMetadata));
            case 429, 503 -> answer.headers.put("Retry-After", retryAfter(refusal));
            default -> {}
        }
        return answer;
    }

    static Answer of(int status, String word, String message) {
        return of(status, word, message, Map.of());
    }

    private static Answer of(int status, String word, String message, Map<String, Object> details) {
        var body = Json.object().put("error", word).put("message", message);
        if (!details.isEmpty()) {
            body.set("details", Json.tree(details));
        }
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", "application/json");
        return new Answer(status, headers, body);
    }

    private static String challenge(Optional<String> resourceMetadata) {
        return resourceMetadata
                .map(address -> "Bearer resource_metadata=\"" + address + "\"")
                .orElse("Bearer");
    }

    /// A refusal that knows how long to wait says so in its details.
    private static String retryAfter(Refusal refusal) {
        var seconds = refusal.details().get("retry_after_seconds");
        return seconds instanceof Number number
                ? String.valueOf(number.longValue())
                : RETRY_AFTER_SECONDS;
    }
}
