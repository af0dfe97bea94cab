package dev.caisson.call;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// An answer to the caller that says no: a reason, and a sentence that names the culprit and the
/// remedy.
///
/// It is not a fault: it is never logged with a stack trace, and its message is shown as it is.
public final class Refusal extends RuntimeException {
    /// The detail that says how long to wait before the same request is made again.
    public static final String RETRY_AFTER_SECONDS = "retry_after_seconds";

    /// The detail that says whether the same request may be met later, where its reason does not.
    public static final String RETRYABLE = "retryable";

    /// The detail that names the execution it is about, such as the one that is in the way.
    public static final String EXECUTION_ID = "execution_id";

    /// The detail that names what a challenge to send another token says, such as `invalid_token`.
    public static final String CHALLENGE_ERROR = "challenge_error";

    /// The detail that lists the scopes of which a caller needs one.
    public static final String SCOPES = "scopes";

    /// How long to wait for a place when nobody knows better.
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final transient Map<String, Object> details;
    private final transient Optional<ToolErrorType> givenType;

    public Refusal(Reason reason, String message) {
        this(reason, message, Map.of());
    }

    /// @param details plain JSON-like values (strings, numbers, booleans, lists, maps) for programs
    ///   to read
    public Refusal(Reason reason, String message, Map<String, Object> details) {
        this(Optional.empty(), reason, message, details);
    }

    private Refusal(
            Optional<ToolErrorType> type,
            Reason reason,
            String message,
            Map<String, Object> details) {
        super(message, null, false, false);
        this.givenType = type;
        this.reason = reason;
        this.details = Map.copyOf(details);
    }

    /// Of the call of a tool, for programs that tell failures apart by their type.
    public static Refusal of(ToolErrorType type, Reason reason, String message) {
        return of(type, reason, message, Map.of());
    }

    /// @param details see the constructor
    public static Refusal of(
            ToolErrorType type, Reason reason, String message, Map<String, Object> details) {
        return new Refusal(Optional.of(type), reason, message, details);
    }

    /// The same refusal in other words, such as without what is secret in them.
    public Refusal saying(String message, Map<String, Object> newDetails) {
        return new Refusal(givenType, reason, message, newDetails);
    }

    /// What whoever asks is told while the server stops; the next one may be there soon.
    public static Refusal stopping(String message) {
        return new Refusal(
                Reason.UNAVAILABLE, message, Map.of(RETRY_AFTER_SECONDS, RETRY_AFTER.toSeconds()));
    }

    public Reason reason() {
        return reason;
    }

    /// The type of the failure for whoever called a tool: the one it names, or that of its reason.
    public ToolErrorType type() {
        return givenType.orElseGet(() -> ToolErrorType.of(reason));
    }

    /// The type, if it names one; every door says it then.
    public Optional<ToolErrorType> givenType() {
        return givenType;
    }

    public Map<String, Object> details() {
        return details;
    }

    /// Whether the same request may be met later, as it is.
    public boolean isRetryable() {
        return details.get(RETRYABLE) instanceof Boolean said
                ? said
                : givenType.map(ToolErrorType::retryable).orElseGet(reason::retryable)
                        || details.containsKey(RETRY_AFTER_SECONDS);
    }

    /// How long to wait before the same request is made again; empty where a time is no help.
    public Optional<Duration> retryAfter() {
        if (!isRetryable()) {
            return Optional.empty();
        }
        if (details.get(RETRY_AFTER_SECONDS) instanceof Number seconds) {
            return Optional.of(Duration.ofSeconds(seconds.longValue()));
        }
        return switch (reason) {
            case NO_CAPACITY, TOO_MANY_ATTEMPTS, QUOTA_EXCEEDED -> Optional.of(RETRY_AFTER);
            case MALFORMED,
                    INVALID_ARGUMENT,
                    UNKNOWN_TOOL,
                    UNKNOWN_RESOURCE,
                    UNKNOWN_PROMPT,
                    NOT_FOUND,
                    UNAUTHORIZED,
                    FORBIDDEN,
                    DENIED,
                    HANDOFF_REQUIRED,
                    WAITING_APPROVAL,
                    TOO_LARGE,
                    CHANGED,
                    LEFT,
                    MISSING_CAPABILITY,
                    CONFLICT,
                    TIMED_OUT,
                    UNAVAILABLE,
                    UPSTREAM,
                    OUTCOME_UNKNOWN ->
                    Optional.empty();
        };
    }

    /// The execution it is about, such as the one that is in the way.
    public Optional<String> executionId() {
        return Optional.ofNullable(details.get(EXECUTION_ID)).map(String::valueOf);
    }

    /// The sentence; unlike an ordinary exception's it is always there.
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
