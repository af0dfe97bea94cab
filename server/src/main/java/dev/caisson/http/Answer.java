package dev.caisson.http;

import dev.caisson.call.Reason;
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

    /// The status and the word on the wire of each reason. A new reason does not compile until it
    /// has its line here.
    record Code(int status, String word) {
        static Code of(Reason reason) {
            return switch (reason) {
                case MALFORMED, INVALID_ARGUMENT, MISSING_CAPABILITY ->
                        new Code(400, "validation_error");
                case UNAUTHORIZED -> new Code(401, "unauthorized");
                case FORBIDDEN -> new Code(403, "forbidden");
                case UNKNOWN_TOOL, UNKNOWN_RESOURCE, UNKNOWN_PROMPT, NOT_FOUND ->
                        new Code(404, "not_found");
                case TIMED_OUT -> new Code(408, "timeout");
                case CONFLICT -> new Code(409, "conflict");
                case TOO_LARGE -> new Code(413, "too_large");
                case NO_CAPACITY, TOO_MANY_ATTEMPTS -> new Code(429, "too_many_requests");
                case UNAVAILABLE -> new Code(503, "unavailable");
            };
        }
    }

    static Answer of(Refusal refusal, Optional<String> resourceMetadata) {
        var code = Code.of(refusal.reason());
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
