package dev.caisson.mcp;

import dev.caisson.call.Caller;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The calls of legacy clients without a session, so that `notifications/cancelled` finds them.
///
/// Several programs may share a key and count their requests alike. A cancellation that could mean
/// more than one call therefore stops none.
final class Strays {
    private record Key(String caller, String id) {}

    private final ConcurrentMap<Key, Set<Cancellation>> running = new ConcurrentHashMap<>();

    void begin(Caller caller, Id id, Cancellation work) {
        running.compute(
                new Key(caller.id(), id.key()),
                (_, known) -> {
                    Set<Cancellation> all = known == null ? ConcurrentHashMap.newKeySet() : known;
                    all.add(work);
                    return all;
                });
    }

    void end(Caller caller, Id id, Cancellation work) {
        running.computeIfPresent(
                new Key(caller.id(), id.key()),
                (_, all) -> {
                    all.remove(work);
                    return all.isEmpty() ? null : all;
                });
    }

    void cancel(Caller caller, Id id) {
        var all = running.getOrDefault(new Key(caller.id(), id.key()), Set.of());
        if (all.size() == 1) {
            all.forEach(Cancellation::cancel);
        }
    }
}
