package dev.caisson.storage.volume;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Map;

/// Refusals of requests for volumes, with the words callers read.
public final class VolumeRefusals {
    private VolumeRefusals() {}

    public static Refusal absent() {
        return new Refusal(Reason.NOT_FOUND, "There is no such volume.");
    }

    public static Refusal badName() {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "The name of a volume has 1 to 63 small letters, digits, hyphens and underscores, and starts with a letter or a digit.");
    }

    public static Refusal taken() {
        return new Refusal(
                Reason.CONFLICT,
                "You have a volume of that name already.",
                Map.of(Refusal.RETRYABLE, false));
    }

    /// @param limit which one, and what to do
    public static Refusal tooMany(String limit) {
        return new Refusal(Reason.NO_CAPACITY, limit + " first.", Map.of(Refusal.RETRYABLE, false));
    }

    public static Refusal inUse() {
        return new Refusal(
                Reason.CONFLICT,
                "The volume is in use. Try again when the runs that mount it have ended.",
                Map.of("status", "conflict", "retryable", true));
    }

    public static Refusal usedElsewhere() {
        return new Refusal(
                Reason.CONFLICT,
                "The volume is in use by another process of this server. Try again later.",
                Map.of("status", "conflict", "retryable", true));
    }

    /// @param name of the volume
    public static Refusal filesLost(String name) {
        return new Refusal(
                Reason.UNAVAILABLE,
                "The files of volume "
                        + name
                        + " are not in this server's data directory: they were lost, or are"
                        + " kept by another server. Restore them, or delete the volume and"
                        + " make it anew.",
                Map.of("cause", "files_lost", Refusal.RETRYABLE, false));
    }
}
