package dev.caisson.storage.thread;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Remedy;
import dev.caisson.storage.Threads;
import java.util.Map;

/// Refusals of requests for threads, with the words callers read.
public final class ThreadRefusals {
    private ThreadRefusals() {}

    public static Refusal absent() {
        return new Refusal(Reason.NOT_FOUND, "There is no such thread.");
    }

    public static Refusal usedElsewhere() {
        return new Refusal(
                Reason.CONFLICT,
                "The thread is in use by another process of this server. Try again when it has"
                        + " ended, or use another thread.",
                Map.of("status", "conflict", "retryable", true));
    }

    static Refusal filesInUse() {
        return new Refusal(
                Reason.CONFLICT,
                "A session of the thread is alive, or its files are being read or written."
                        + " End the session with "
                        + Remedy.RESET_SESSION.word()
                        + ", or try again shortly.",
                Map.of("status", "conflict", "retryable", true));
    }

    /// @param what the thread, for people
    public static Refusal filesLost(String what) {
        return new Refusal(
                Reason.UNAVAILABLE,
                "The files of thread "
                        + what
                        + " are not in this server's data directory: they were lost, or a"
                        + " backup was restored without them. Restore them, or delete the"
                        + " thread to begin anew.",
                Map.of("cause", "files_lost", Refusal.RETRYABLE, false));
    }

    public static void requireValid(String threadId) {
        if (threadId.isEmpty() || threadId.length() > Threads.ID_LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A thread id has 1 to " + Threads.ID_LENGTH_MAX + " characters.");
        }
        if (threadId.indexOf('\0') >= 0) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A thread id has no NUL character; this one has one behind "
                            + threadId.indexOf('\0')
                            + " characters.");
        }
    }
}
