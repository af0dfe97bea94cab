package dev.caisson;

import dev.caisson.call.KeyedDigest;
import dev.caisson.identity.KeyEvent;
import dev.caisson.identity.KeyRecorder;
import dev.caisson.json.Json;
import dev.caisson.ledger.Entry;
import dev.caisson.ledger.Ledger;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/// Ledger entries about keys: records what happens to keys, in the transaction in which it happens:
/// a key that exists has its entry. An entry names the key by its id, and never holds the key.
record KeyLedger(KeyedDigest digest, Clock clock) implements KeyRecorder {
    /// The one that the configuration asks for.
    static KeyRecorder of(Config config, KeyedDigest digest, Clock clock) {
        return config.ledger().enabled() ? new KeyLedger(digest, clock) : KeyRecorder.NONE;
    }

    @Override
    public void record(Transaction transaction, KeyEvent event) {
        var actor = event.actor();
        Ledger.append(
                transaction,
                new Entry(
                        clock.instant(),
                        actor.caller(),
                        actor.door().word(),
                        event.act().word(),
                        digest.of(actor.caller(), Json.bytes(event.wanted())),
                        Optional.empty(),
                        0,
                        "success",
                        Duration.ZERO,
                        Optional.empty(),
                        0,
                        actor.trace().value(),
                        Entry.Subject.key(event.keyId())));
    }

    @Override
    public boolean has(Transaction transaction, KeyEvent event) {
        var caller = event.actor().caller();
        return Ledger.has(
                transaction,
                caller,
                event.act().word(),
                digest.of(caller, Json.bytes(event.wanted())));
    }
}
