package dev.caisson.call;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Registry of the work under way for each caller, and of the callers whose keys were revoked. What
/// belongs to a caller registers how to end it; a revocation ends it all at once, and what
/// registers afterwards is ended as soon as it does, so nothing slips through between the two.
public final class Revocations {
    /// Why something of a caller ended.
    public static final String WHY = "its API key was revoked";

    private final Set<String> revoked = ConcurrentHashMap.newKeySet();
    private final Map<String, Set<Registration>> byCaller = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Consumer<Set<String>>> listeners =
            new CopyOnWriteArrayList<>();

    /// Something that belongs to a caller, until it is closed because that is over.
    public final class Registration implements AutoCloseable {
        private final String callerId;
        private final Runnable end;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Registration(String callerId, Runnable end) {
            this.callerId = callerId;
            this.end = end;
        }

        /// Ending may take a while, and one end must not wait for another.
        private void end() {
            if (ended.compareAndSet(false, true)) {
                Thread.ofVirtual().name("revoked-" + callerId).start(end);
            }
        }

        @Override
        public void close() {
            byCaller.computeIfPresent(
                    callerId,
                    (_, all) -> {
                        all.remove(this);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    /// Whether a caller may begin nothing any more.
    public boolean has(String callerId) {
        return revoked.contains(callerId);
    }

    /// Registers something of a caller.
    ///
    /// @param end ends it; called once at most, on a thread of its own
    /// @return to be closed when it is over
    public Registration register(String callerId, Runnable end) {
        var registration = new Registration(callerId, end);
        byCaller.compute(
                callerId,
                (_, all) -> {
                    var known = all == null ? ConcurrentHashMap.<Registration>newKeySet() : all;
                    known.add(registration);
                    return known;
                });
        if (has(callerId)) {
            registration.end();
        }
        return registration;
    }

    /// Registers something of a caller that says by itself when it is over, such as a stream.
    ///
    /// @param onOver takes what to do then
    public void register(String callerId, Runnable end, Consumer<Runnable> onOver) {
        onOver.accept(register(callerId, end)::close);
    }

    /// Is told the callers whose keys were revoked, for what is not registered because it is in the
    /// store.
    public void listen(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /// Ends what there is of these callers. Those that were told before are told no second time.
    public void revoke(Collection<String> callerIds) {
        var fresh = Set.copyOf(callerIds.stream().filter(revoked::add).toList());
        if (fresh.isEmpty()) {
            return;
        }
        fresh.forEach(id -> byCaller.getOrDefault(id, Set.of()).forEach(Registration::end));
        listeners.forEach(listener -> listener.accept(fresh));
    }

    /// How much is registered, for tests.
    int registered() {
        return byCaller.values().stream().mapToInt(Set::size).sum();
    }
}
