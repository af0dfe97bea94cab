package dev.caisson.call;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// Cause for which the server ends an open stream early.
public enum StreamEnd {
    /// The caller may do nothing any more.
    KEY_REVOKED(Revocations.WHY, "The API key of this stream was revoked.", Optional.empty()),
    /// The process ends.
    SERVER_STOPPING(
            "the server stops",
            "The server is stopping. Connect again later.",
            Optional.of(Refusal.RETRY_AFTER));

    private final String reason;
    private final String sentence;
    private final Optional<Duration> retryAfter;

    StreamEnd(String reason, String sentence, Optional<Duration> retryAfter) {
        this.reason = reason;
        this.sentence = sentence;
        this.retryAfter = retryAfter;
    }

    /// The word for programs, such as `key_revoked`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Why, as part of a sentence.
    public String reason() {
        return reason;
    }

    /// What a person is told.
    public String sentence() {
        return sentence;
    }

    /// Whether the same caller may come again.
    public boolean retryable() {
        return retryAfter.isPresent();
    }

    /// How long to wait before connecting again; empty for a caller who may not.
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
