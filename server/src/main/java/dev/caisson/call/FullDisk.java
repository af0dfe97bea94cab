package dev.caisson.call;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Detection of failures that a full disk caused: no fault of ours, and none of the caller's. A
/// person can help.
public final class FullDisk {
    /// How many causes are looked at.
    private static final int DEPTH_MAX = 16;

    /// How long to wait for somebody who makes room.
    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private FullDisk() {}

    /// @return empty when something else caused it
    public static Optional<Refusal> refusal(Throwable failure) {
        var cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (isFull(cause)) {
                return Optional.of(refusal());
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /// The failure itself when something else caused it.
    public static RuntimeException told(RuntimeException failure) {
        return failure instanceof Refusal
                ? failure
                : refusal(failure).<RuntimeException>map(full -> full).orElse(failure);
    }

    public static Refusal refusal() {
        return new Refusal(
                Reason.UNAVAILABLE,
                "The server's disk is full. Nothing was stored; try again when there is room on"
                        + " it.",
                Map.of(Refusal.RETRY_AFTER_SECONDS, RETRY_AFTER.toSeconds()));
    }

    /// Java says only in words why it could not write.
    private static boolean isFull(Throwable cause) {
        var words = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return (cause instanceof IOException || cause instanceof RuntimeException)
                && (words.contains("no space left") || words.contains("disk quota exceeded"));
    }
}
