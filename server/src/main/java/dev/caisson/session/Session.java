package dev.caisson.session;

import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Runner;
import dev.caisson.storage.Lease;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// One session: an interpreter, the workspace that stays open for it, and the secrets it was told.
/// Guarded by [Sessions]; while it is busy it belongs to whoever made it so.
final class Session {
    private final Runner runner;
    private final Set<String> secrets = new HashSet<>();
    private Optional<Resident> resident = Optional.empty();
    private Optional<Lease.Keep> workspace = Optional.empty();
    private Optional<String> doom = Optional.empty();
    private Runnable onGone = () -> {};
    private boolean busy = true;
    private long idleSince;

    /// Busy from the start, and without an interpreter until [#settle].
    Session(Runner runner) {
        this.runner = runner;
    }

    synchronized void settle(Resident settled, Lease.Keep kept) {
        resident = Optional.of(settled);
        workspace = Optional.of(kept);
    }

    /// @param then is called when it is gone
    synchronized void onGone(Runnable then) {
        onGone = then;
    }

    synchronized void gone() {
        onGone.run();
    }

    Runner runner() {
        return runner;
    }

    Set<String> secrets() {
        return secrets;
    }

    synchronized Resident resident() {
        return resident.orElseThrow(() -> new IllegalStateException("nobody has settled yet"));
    }

    boolean isBusy() {
        return busy;
    }

    void take() {
        busy = true;
    }

    void rest(long now) {
        busy = false;
        idleSince = now;
    }

    /// As [System#nanoTime()] said.
    long idleSince() {
        return idleSince;
    }

    boolean isIdleFor(long nanos, long now) {
        return !busy && now - idleSince >= nanos;
    }

    /// Ends the program that runs in it; whoever runs it closes the session.
    synchronized void doom(String why) {
        doom = Optional.of(why);
        resident.ifPresent(Resident::kill);
    }

    /// Why it must not live on.
    synchronized Optional<String> doom() {
        return doom;
    }

    void close() {
        try {
            resident.ifPresent(Resident::close);
        } finally {
            workspace.ifPresent(Lease.Keep::close);
        }
    }
}
