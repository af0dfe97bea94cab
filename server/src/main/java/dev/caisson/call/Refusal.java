package dev.caisson.call;

import java.util.Map;

/// An answer to the caller that says no: a reason, and a sentence that names the culprit and the
/// remedy.
///
/// It is not a fault: it is never logged with a stack trace, and its message is shown as it is.
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final transient Map<String, Object> details;

    public Refusal(Reason reason, String message) {
        this(reason, message, Map.of());
    }

    /// @param details plain JSON-like values (strings, numbers, booleans, lists, maps) for programs
    ///   to read
    public Refusal(Reason reason, String message, Map<String, Object> details) {
        super(message, null, false, false);
        this.reason = reason;
        this.details = Map.copyOf(details);
    }

    public Reason reason() {
        return reason;
    }

    public Map<String, Object> details() {
        return details;
    }

    /// The sentence; unlike an ordinary exception's it is always there.
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
