package dev.caisson.call;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// Publisher of changes to the callers who listen and whom a change concerns.
public final class Changes {
    private record Listener(Caller caller, Consumer<Change> told) {}

    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

    /// @param told must not block
    /// @return ends the listening
    public AutoCloseable listen(Caller caller, Consumer<Change> told) {
        var listener = new Listener(caller, told);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public void announce(Change change) {
        for (var listener : listeners) {
            if (change.concerns().test(listener.caller())) {
                listener.told().accept(change);
            }
        }
    }
}
