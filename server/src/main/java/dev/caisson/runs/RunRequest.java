package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Language;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Request for a run: the program, its language, limits, thread and volumes.
///
/// @param secretEnv the names of those in `env` that are secret, whatever their names
/// @param session whether the thread's interpreter is kept, which needs a thread
/// @param patience how long to wait when the thread is in use; empty where nobody can ask for it
/// @param envelope what the answer says about the call
/// @param volumes to mount beside the workspace
/// @param dataFromStdout whether the last line of stdout is the value when none is handed over
/// @param subPaths what is shown of the thread and of volumes
/// @param packages which environments and image it is to have
/// @param input what the program reads and finds
/// @param limits in place of those of the caller's profile
/// @param background whether the caller is answered when the program has begun
/// @param tools that the program may call
/// @param task at which it is an attempt, by the word of the caller
public record RunRequest(
        String code,
        Optional<Language> language,
        Optional<Duration> timeout,
        Optional<String> threadId,
        Map<String, String> env,
        List<String> secretEnv,
        SessionUse session,
        Optional<Duration> patience,
        Envelope envelope,
        List<VolumeUse> volumes,
        boolean dataFromStdout,
        SubPaths subPaths,
        Packages packages,
        RunInput input,
        LimitsWish limits,
        boolean background,
        ToolAccess tools,
        Optional<String> task) {
    /// Of the name of a task, in characters.
    public static final int TASK_LENGTH_MAX = 128;

    /// Whether an interpreter is kept between calls.
    public enum SessionUse {
        NONE,
        KEPT,
        /// Kept from now on; the one before is ended.
        AFRESH
    }

    public RunRequest {
        volumes = List.copyOf(volumes);
        env = Map.copyOf(env);
        secretEnv = List.copyOf(secretEnv);
        if (session != SessionUse.NONE && threadId.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session belongs to a thread: give a thread_id, a name of your choice, and the"
                            + " same one in every call of the session.");
        }
        if (session != SessionUse.NONE && !subPaths.equals(SubPaths.NONE)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session has the whole workspace: its sandbox is there before the call. Leave"
                            + " out sub_paths, or session.");
        }
        if (session != SessionUse.NONE && !limits.equals(LimitsWish.NONE)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session has the limits of your profile: its sandbox is there before the call."
                            + " Leave out limits, or session.");
        }
        if (threadId.isEmpty() && !subPaths.workspace().isRoot()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "sub_paths names /workspace, which is empty without a thread_id: give one.");
        }
        if (session != SessionUse.NONE && !volumes.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A session mounts no volumes: its sandbox is there before the call. Leave out"
                            + " volumes, or session.");
        }
    }
}
