package dev.caisson;

import dev.caisson.actions.SecretActions;
import dev.caisson.call.KeyedDigest;
import dev.caisson.cli.DataUse;
import dev.caisson.cli.SecretAdmin;
import dev.caisson.identity.SecretFile;
import dev.caisson.identity.Vault;
import dev.caisson.identity.VaultEntry;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/// Administration of the vault in the database for the command line. A server beside it sees every
/// change.
final class StoredSecretAdmin implements SecretAdmin {
    private final Store store;
    private final SecretActions actions;
    private final Path directory;

    StoredSecretAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        directory = config.data().directory();
        var secret = SecretFile.read(Core.secret(config.data()));
        store = Database.open(config.data());
        actions =
                new SecretActions(
                        StoredKeyAdmin.broker(config, store, new KeyedDigest(secret), clock),
                        new Vault(store, clock, config.vault().sealing(secret)));
    }

    @Override
    public List<Listed> list() {
        return StoredKeyAdmin.uninterrupted(() -> actions.list(StoredKeyAdmin.call())).stream()
                .map(StoredSecretAdmin::listed)
                .toList();
    }

    @Override
    public Listed set(String name, String value) {
        return listed(
                StoredKeyAdmin.uninterrupted(
                        () -> actions.put(StoredKeyAdmin.call(), name, () -> value)));
    }

    private static Listed listed(VaultEntry entry) {
        return new Listed(entry.name(), entry.updated(), entry.usable());
    }

    @Override
    public void remove(String name) {
        StoredKeyAdmin.uninterrupted(() -> {
            actions.remove(StoredKeyAdmin.call(), name);
            return name;
        });
    }

    @Override
    public DataUse dataUse() {
        return new DataUse(directory, store.isServed(directory));
    }

    @Override
    public void close() {
        store.close();
    }
}
