package dev.caisson.door;

import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Error of a call as its program gets it: a type, a sentence, and whether the same call may
/// succeed later.
record CallError(
        ToolErrorType type, String message, boolean retryable, Map<String, Object> details) {
    CallError(ToolErrorType type, String message) {
        this(type, message, type.retryable(), Map.of());
    }

    static CallError of(Refusal refusal) {
        var type = refusal.type();
        return new CallError(
                type,
                refusal.sentence(),
                type.retryable() || refusal.isRetryable(),
                refusal.details());
    }

    /// Whether rules, a person or the grants of the run said no.
    boolean isDenial() {
        return switch (type) {
            case DENIED, UNKNOWN_TOOL, UNDER_REVIEW, APPROVAL_DENIED -> true;
            default -> false;
        };
    }

    boolean isUnknown() {
        return type == ToolErrorType.OUTCOME_UNKNOWN;
    }

    /// In a word, for records.
    String word() {
        return type.word();
    }

    ObjectNode json() {
        var json =
                Json.object()
                        .put("type", type.word())
                        .put("message", message)
                        .put("retryable", retryable);
        json.set("details", Json.tree(details));
        return json;
    }
}
