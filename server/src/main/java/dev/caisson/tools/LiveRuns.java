package dev.caisson.tools;

import dev.caisson.broker.Call;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The executions under way in this process, for whoever wants to follow or to end one.
public final class LiveRuns {
    private final Map<String, LiveRun> byId = new ConcurrentHashMap<>();

    LiveRun begin(String id, Call call, String language, Optional<String> threadId) {
        var run = new LiveRun(id, call.caller().id(), language, threadId, () -> byId.remove(id));
        byId.put(id, run);
        return run;
    }

    public Optional<LiveRun> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
