package dev.caisson;

import dev.caisson.call.KeyedDigest;
import dev.caisson.cli.KeyDesk;
import dev.caisson.config.Config;
import dev.caisson.identity.KeyActor;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.KeyRecorder;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.Keys;
import dev.caisson.identity.SecretFile;
import dev.caisson.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;

/// The keys in the database, for the command line. A server beside it sees every change.
final class StoredKeyDesk implements KeyDesk {
    private final Store store;
    private final Keys keys;

    StoredKeyDesk(Config config, Clock clock) {
        var recorder = recorder(config, clock);
        store = Database.open(config.data());
        keys = new Keys(store, clock, recorder);
    }

    private static KeyRecorder recorder(Config config, Clock clock) {
        createDirectory(config.data());
        var secret = SecretFile.read(Core.secret(config.data()));
        return KeyLedger.of(config, new KeyedDigest(secret), clock);
    }

    /// The owner's alone, when it is made here.
    private static void createDirectory(Config.Data data) {
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
        var made =
                keys.create(
                        new KeyRequest(
                                wanted.name(),
                                wanted.scopes(),
                                wanted.toolsets(),
                                wanted.volumes(),
                                wanted.expires(),
                                wanted.strictParams()),
                        KeyActor.commandLine());
        return new Created(made.info().id(), made.secret());
    }

    @Override
    public List<Listed> list() {
        return keys.list().stream().map(StoredKeyDesk::listed).toList();
    }

    private static Listed listed(KeyInfo key) {
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
                key.strictParams());
    }

    @Override
    public boolean revoke(String id) {
        return keys.revoke(id, KeyActor.commandLine()).isPresent();
    }

    @Override
    public void close() {
        store.close();
    }
}
