package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.Revocations;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Registry of the executions under way in this process, to follow or to end one.
public final class LiveRuns {
    /// What is said of a run that ended with its key.
    static final String REVOKED = "The run was cancelled because " + Revocations.WHY + ".";

    private final Map<String, LiveRun> byId = new ConcurrentHashMap<>();
    private final Revocations revocations;

    /// @param revocations end the runs of their callers
    public LiveRuns(Revocations revocations) {
        this.revocations = revocations;
    }

    /// Whether a run ended with its key, by what was said of its end.
    public static boolean isRevoked(Optional<String> sentence) {
        return sentence.equals(Optional.of(REVOKED));
    }

    LiveRun begin(String id, Call call, String language, Optional<String> threadId) {
        var owner = call.caller().id();
        var run = new LiveRun(id, owner, language, threadId, () -> byId.remove(id));
        byId.put(id, run);
        revocations.register(owner, () -> run.cancel(REVOKED), run::onOver);
        return run;
    }

    public Optional<LiveRun> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
