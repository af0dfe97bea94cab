package dev.caisson.runs;

import dev.caisson.sandbox.Limits;
import dev.caisson.storage.Threads;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Room that a run had for its files, as advice tells it when there was too little.
///
/// @param inMemory the size of a workspace that counts to the run's memory; empty for one on the
///   disk
/// @param tmpBytes the size of `/tmp`
record WorkspaceRoom(OptionalLong inMemory, long tmpBytes) {
    private static final Pattern FULL =
            Pattern.compile("No space left on device|\\bENOSPC\\b", Pattern.CASE_INSENSITIVE);

    static WorkspaceRoom of(RunRequest request, Limits limits, Threads threads) {
        return new WorkspaceRoom(
                isOwnAlone(request)
                        ? threads.bytesInMemory(limits.memoryBytes())
                        : OptionalLong.empty(),
                limits.tmpBytes());
    }

    /// Whether nothing is in the workspace but what the run writes, and nothing of it is kept.
    static boolean isOwnAlone(RunRequest request) {
        return request.threadId().isEmpty() && request.input().files().isEmpty();
    }

    /// For a program that ended with an error.
    Optional<String> advice(String errors) {
        return FULL.matcher(errors).find() ? Optional.of(full()) : Optional.empty();
    }

    private String full() {
        var tmp = Quantities.bytes(tmpBytes);
        return inMemory.isPresent()
                ? "No space is left: without a thread_id /workspace is in memory and holds %s, and /tmp holds %s. With a thread_id the workspace is on the disk."
                        .formatted(Quantities.bytes(inMemory.getAsLong()), tmp)
                : "No space is left in the workspace, or in /tmp, which holds %s. Delete files that are not needed."
                        .formatted(tmp);
    }

    /// For a program that ran out of memory: which files have a part in that.
    String counted() {
        return inMemory.isPresent()
                ? " Files in /tmp count, and without a thread_id those in /workspace too."
                : " Files in /tmp count.";
    }
}
