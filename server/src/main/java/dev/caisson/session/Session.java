package dev.caisson.session;

import dev.caisson.sandbox.Resident;
import dev.caisson.sandbox.Runner;
import dev.caisson.storage.Lease;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Session of a caller in a thread: an interpreter, the workspace that stays open for it, and the
/// secrets it was told. Guarded by [Sessions]; while it is busy it belongs to whoever made it so.
final class Session {
    private static final int ID_BYTES = 12;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id = "ses_" + randomHex();
    private final Runner runner;
    private final Instant begun;
    private final Set<String> secrets = new HashSet<>();
    private Optional<Resident> resident = Optional.empty();
    private Optional<Lease.Keep> workspace = Optional.empty();
    private Optional<String> ended = Optional.empty();
    private Runnable onGone = () -> {};
    private boolean busy = true;
    private long idleSince;
    private Instant lastUsed;
    private long bytes;

    /// Busy from the start, and without an interpreter until [#settle].
    ///
    /// @param bytes that it is expected to hold between calls
    Session(Runner runner, Instant now, long bytes) {
        this.runner = runner;
        this.begun = now;
        this.lastUsed = now;
        this.bytes = bytes;
    }

    private static String randomHex() {
        var bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    String id() {
        return id;
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

    void take(Instant at) {
        busy = true;
        lastUsed = at;
    }

    /// @param held from now on, until the next call
    void rest(long now, Instant at, long held) {
        busy = false;
        idleSince = now;
        lastUsed = at;
        bytes = held;
    }

    EvictionRule.Row row(SessionKey key) {
        return new EvictionRule.Row(key, bytes, busy, idleSince);
    }

    /// Without what it uses, which the kernel is asked for.
    SessionInfo info(SessionKey key, long now) {
        return new SessionInfo(
                id,
                key.callerId(),
                key.threadId(),
                key.language(),
                begun,
                lastUsed,
                busy ? Duration.ZERO : Duration.ofNanos(now - idleSince),
                Optional.empty(),
                busy);
    }

    /// What it uses now; empty while it has no interpreter yet.
    Optional<Long> memoryBytes() {
        var settled = settled();
        try {
            return settled.map(Resident::memoryBytes)
                    .filter(OptionalLong::isPresent)
                    .map(OptionalLong::getAsLong);
        } catch (UncheckedIOException gone) {
            return Optional.empty();
        }
    }

    private synchronized Optional<Resident> settled() {
        return resident;
    }

    boolean isIdleFor(long nanos, long now) {
        return !busy && now - idleSince >= nanos;
    }

    /// Ends the program that runs in it; whoever runs it closes the session.
    synchronized void markEnded(String why) {
        ended = Optional.of(why);
        resident.ifPresent(Resident::kill);
    }

    /// Why it must not live on.
    synchronized Optional<String> markedEnd() {
        return ended;
    }

    void close() {
        try {
            resident.ifPresent(Resident::close);
        } finally {
            workspace.ifPresent(Lease.Keep::close);
        }
    }
}
