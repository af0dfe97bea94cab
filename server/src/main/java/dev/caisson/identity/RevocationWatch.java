package dev.caisson.identity;

import dev.caisson.call.Revocations;
import dev.caisson.config.RepeatedLook;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Looks for keys that were revoked, by whichever process on this database, and tells
/// [Revocations]. A revocation by this process is told at once, one by another within [#INTERVAL].
///
/// The first look is at all of them. Later ones are at those of the last [#LOOK_BACK], so that a
/// look stays cheap and the clocks of two machines need not agree.
public final class RevocationWatch implements AutoCloseable {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    /// How far clocks may differ, and a commit may take.
    static final Duration LOOK_BACK = Duration.ofHours(1);

    private final Keys keys;
    private final Revocations revocations;
    private final Clock clock;
    private final RepeatedLook looks;
    private Instant since;

    /// @return after the first look
    public static RevocationWatch start(Keys keys, Revocations revocations, Clock clock) {
        return start(keys, revocations, clock, INTERVAL);
    }

    static RevocationWatch start(
            Keys keys, Revocations revocations, Clock clock, Duration interval) {
        return new RevocationWatch(keys, revocations, clock, interval);
    }

    private RevocationWatch(Keys keys, Revocations revocations, Clock clock, Duration interval) {
        this.keys = keys;
        this.revocations = revocations;
        this.clock = clock;
        this.since = Instant.EPOCH;
        look();
        keys.onRevoked(this::revokedHere);
        this.looks = RepeatedLook.start("revoked keys", interval, this::look);
    }

    private void revokedHere(KeyInfo key) {
        revocations.revoke(List.of(key.caller().id()));
    }

    private void look() {
        var next = clock.instant().minus(LOOK_BACK);
        revocations.revoke(keys.revokedSince(since));
        since = next;
    }

    @Override
    public void close() {
        looks.close();
    }
}
