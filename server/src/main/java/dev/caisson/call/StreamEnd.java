package dev.caisson.call;

import java.util.Locale;

/// Why an open stream is ended by the server before what it shows is over.
public enum StreamEnd {
    /// The caller may do nothing any more.
    KEY_REVOKED(Revocations.WHY, "The API key of this stream was revoked.", false),
    /// The process ends.
    SERVER_STOPPING("the server stops", "The server is stopping. Connect again later.", true);

    private final String reason;
    private final String sentence;
    private final boolean retryable;

    StreamEnd(String reason, String sentence, boolean retryable) {
        this.reason = reason;
        this.sentence = sentence;
        this.retryable = retryable;
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
        return retryable;
    }
}
