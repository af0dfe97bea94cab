package dev.caisson;

import dev.caisson.actions.KeyActions;
import dev.caisson.broker.Broker;
import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Recording;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Door;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.cli.DataUse;
import dev.caisson.cli.KeyAdmin;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.Keys;
import dev.caisson.identity.NetworkForm;
import dev.caisson.identity.SecretFile;
import dev.caisson.json.Records;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerRecorder;
import dev.caisson.redact.Redaction;
import dev.caisson.storage.Volumes;
import dev.caisson.store.DataSettings;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Administration of the keys in the database for the command line. A server beside it sees every
/// change.
final class StoredKeyAdmin implements KeyAdmin {
    private final Store store;
    private final Keys keys;
    private final KeyActions actions;
    private final Path directory;

    StoredKeyAdmin(Config config, Clock clock) {
        createDirectory(config.data());
        directory = config.data().directory();
        var digest = new KeyedDigest(SecretFile.read(Core.secret(config.data())));
        store = Database.open(config.data());
        var profiles = ProfileWiring.profiles(config, store, clock);
        keys =
                new Keys(
                        store,
                        clock,
                        KeyLedger.of(config, digest, clock),
                        ProfileWiring.keyCheck(profiles));
        actions = new KeyActions(broker(config, store, digest, clock), keys);
    }

    /// A broker without tools: what the command line does is recorded as at every door.
    static Broker broker(Config config, Store store, KeyedDigest digest, Clock clock) {
        CallRecorder recorder =
                config.ledger().enabled()
                        ? new LedgerRecorder(new Ledger(store), digest, true)
                        : _ -> {};
        return new Broker(
                Broker.Sources.ofTools(),
                CallRules.ALLOW_ALL,
                new Changes(),
                new Recording(recorder, new Metrics(), clock),
                Redaction.standard());
    }

    /// The owner's alone, when it is made here.
    static void createDirectory(DataSettings data) {
        try {
            Files.createDirectories(
                    data.directory(),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public Created create(Wanted wanted) {
        var request =
                new KeyRequest(
                        wanted.name(),
                        wanted.scopes(),
                        wanted.toolsets(),
                        wanted.volumes(),
                        wanted.expires(),
                        wanted.strictParams(),
                        wanted.profile(),
                        wanted.environments(),
                        wanted.variables(),
                        wanted.tools(),
                        wanted.network().map(StoredKeyAdmin::network).orElse(NetworkRules.NONE));
        var made = uninterrupted(() -> actions.create(call(), request.json(), () -> request));
        return new Created(made.info().id(), made.secret());
    }

    @Override
    public List<Listed> list() {
        var lastUses = keys.lastUses();
        return keys.list().stream()
                .map(key -> listed(key, Optional.ofNullable(lastUses.get(key.id()))))
                .toList();
    }

    @Override
    public boolean hasVolume(String name) {
        return Volumes.exists(store, name);
    }

    @Override
    public DataUse dataUse() {
        return new DataUse(directory, store.isServed(directory));
    }

    private static Listed listed(KeyInfo key, Optional<Instant> lastUsed) {
        return new Listed(
                key.id(),
                key.name(),
                key.scopes(),
                key.toolsets(),
                key.volumes(),
                key.created(),
                key.expires(),
                key.revoked(),
                key.firstUsed(),
                lastUsed,
                key.strictParams(),
                key.profile(),
                key.environments(),
                key.tools(),
                key.network().allow().stream().map(NetworkRule::host).toList());
    }

    private static NetworkRules network(JsonNode text) {
        try {
            return Records.read(text, NetworkForm.class).rules();
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "The network is not of the form allow: [rules].");
        }
    }

    @Override
    public boolean revoke(String id) {
        try {
            return uninterrupted(() -> actions.revoke(call(), id).revoked().isPresent());
        } catch (Refusal refusal) {
            if (refusal.reason() == Reason.NOT_FOUND) {
                return false;
            }
            throw refusal;
        }
    }

    /// By the person at this machine.
    static Call call() {
        return Call.of(Caller.LOCAL, Door.CLI, TraceContext.fresh());
    }

    interface Waiting<T> {
        T run() throws InterruptedException;
    }

    static <T> T uninterrupted(Waiting<T> work) {
        try {
            return work.run();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped before it was done", stopped);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
