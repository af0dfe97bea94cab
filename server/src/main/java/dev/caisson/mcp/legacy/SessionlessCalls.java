package dev.caisson.mcp.legacy;

import dev.caisson.call.Caller;
import dev.caisson.mcp.server.Cancellation;
import dev.caisson.rpc.RequestId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Calls of legacy clients without a session, so that `notifications/cancelled` finds them.
///
/// Several programs may share a key and count their requests alike. A cancellation that could mean
/// more than one call therefore stops none.
final class SessionlessCalls {
    private record Key(String caller, String id) {}

    private final ConcurrentMap<Key, Set<Cancellation>> running = new ConcurrentHashMap<>();

    void begin(Caller caller, RequestId id, Cancellation work) {
        running.compute(
                new Key(caller.id(), id.key()),
                (_, known) -> {
                    Set<Cancellation> all = known == null ? ConcurrentHashMap.newKeySet() : known;
                    all.add(work);
                    return all;
                });
    }

    void end(Caller caller, RequestId id, Cancellation work) {
        running.computeIfPresent(
                new Key(caller.id(), id.key()),
                (_, all) -> {
                    all.remove(work);
                    return all.isEmpty() ? null : all;
                });
    }

    /// @param timedOut whether only the client's time is over
    void cancel(Caller caller, RequestId id, boolean timedOut) {
        var all = running.getOrDefault(new Key(caller.id(), id.key()), Set.of());
        if (all.size() == 1) {
            all.forEach(work -> work.cancel(timedOut));
        }
    }
}
