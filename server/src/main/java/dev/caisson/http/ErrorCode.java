package dev.caisson.http;

import dev.caisson.call.Reason;

/// The status and the word on the wire of each reason. A new reason does not compile until it has
/// its line here.
public record ErrorCode(int status, String word) {
    public static ErrorCode of(Reason reason) {
        return switch (reason) {
            case MALFORMED, INVALID_ARGUMENT, MISSING_CAPABILITY ->
                    new ErrorCode(400, "validation_error");
            case WAITING_APPROVAL -> new ErrorCode(202, "waiting_approval");
            case UNAUTHORIZED -> new ErrorCode(401, "unauthorized");
            case FORBIDDEN -> new ErrorCode(403, "forbidden");
            case DENIED -> new ErrorCode(403, "denied");
            case UNKNOWN_TOOL, UNKNOWN_RESOURCE, UNKNOWN_PROMPT, NOT_FOUND ->
                    new ErrorCode(404, "not_found");
            case TIMED_OUT -> new ErrorCode(408, "timeout");
            case CONFLICT, CHANGED -> new ErrorCode(409, "conflict");
            case HANDOFF_REQUIRED -> new ErrorCode(409, "handoff_required");
            case TOO_LARGE -> new ErrorCode(413, "payload_too_large");
            case NO_CAPACITY, TOO_MANY_ATTEMPTS -> new ErrorCode(429, "rate_limited");
            case QUOTA_EXCEEDED -> new ErrorCode(429, "quota_exceeded");
            // Nobody reads it but whoever reads the log, where servers have long used this number.
            case LEFT -> new ErrorCode(499, "client_left");
            case UPSTREAM -> new ErrorCode(502, "upstream_error");
            case OUTCOME_UNKNOWN -> new ErrorCode(502, "outcome_unknown");
            case UNAVAILABLE -> new ErrorCode(503, "unavailable");
        };
    }
}
