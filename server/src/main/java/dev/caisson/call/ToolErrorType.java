package dev.caisson.call;

import java.util.Arrays;

/// Type of a failed call of a tool, as programs read it. It is one word, the same whichever server
/// the tool is of and through whichever door it was called.
public enum ToolErrorType {
    INVALID_ARGUMENTS("InvalidArguments", false),
    UNKNOWN_TOOL("UnknownTool", false),
    /// Its definition waits for an operator.
    UNDER_REVIEW("UnderReview", false),
    /// By policy.
    DENIED("Denied", false),
    APPROVAL_DENIED("ApprovalDenied", false),
    APPROVAL_EXPIRED("ApprovalExpired", false),
    /// Somebody must sign in at the other server.
    AUTHORIZATION_REQUIRED("AuthorizationRequired", false),
    /// The other server asks for something that nobody answers.
    INPUT_REQUIRED("InputRequired", false),
    /// The tool itself says that it failed.
    TOOL_FAILED("ToolFailed", false),
    TOO_LARGE("TooLarge", false),
    BUDGET("Budget", false),
    /// It was sent, may have changed something, and nobody knows whether it did.
    OUTCOME_UNKNOWN("OutcomeUnknown", false),
    UPSTREAM_UNAVAILABLE("UpstreamUnavailable", false),
    CANCELLED("Cancelled", false),
    /// No program runs that could call.
    DOOR_CLOSED("DoorClosed", false),
    RATE_LIMIT("RateLimit", true),
    TIMEOUT("Timeout", true),
    TRANSIENT_NETWORK("TransientNetwork", true),
    NO_CAPACITY("NoCapacity", true);

    private final String word;
    private final boolean retryable;

    ToolErrorType(String word, boolean retryable) {
        this.word = word;
        this.retryable = retryable;
    }

    /// As programs read it, such as `InvalidArguments`.
    public String word() {
        return word;
    }

    /// Whether the same call may be met later, as it is.
    public boolean retryable() {
        return retryable;
    }

    /// The type of a word that a program or a record has.
    ///
    /// @throws IllegalArgumentException for a word that is none
    public static ToolErrorType ofWord(String word) {
        return Arrays.stream(values())
                .filter(type -> type.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no type of a failure: " + word));
    }

    /// The type of a refusal that names none.
    public static ToolErrorType of(Reason reason) {
        return switch (reason) {
            case MALFORMED, INVALID_ARGUMENT, MISSING_CAPABILITY -> INVALID_ARGUMENTS;
            case UNKNOWN_TOOL -> UNKNOWN_TOOL;
            case UNAUTHORIZED, FORBIDDEN, DENIED, WAITING_APPROVAL -> DENIED;
            case UNKNOWN_RESOURCE, UNKNOWN_PROMPT, NOT_FOUND, CHANGED -> TOOL_FAILED;
            case TOO_LARGE -> TOO_LARGE;
            case LEFT -> CANCELLED;
            case CONFLICT, NO_CAPACITY -> NO_CAPACITY;
            case TOO_MANY_ATTEMPTS -> RATE_LIMIT;
            case QUOTA_EXCEEDED, HANDOFF_REQUIRED -> BUDGET;
            case TIMED_OUT -> TIMEOUT;
            case UNAVAILABLE, UPSTREAM -> UPSTREAM_UNAVAILABLE;
            case OUTCOME_UNKNOWN -> OUTCOME_UNKNOWN;
        };
    }
}
