package dev.caisson;

import dev.caisson.cli.KeyDesk;
import dev.caisson.config.Config;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.Keys;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.List;

/// The keys in the database, for the command line. A server beside it sees every change.
final class StoredKeyDesk implements KeyDesk {
    private final Store store;
    private final Keys keys;

    StoredKeyDesk(Config.Data data, Clock clock) {
        store = Database.open(data);
        keys = new Keys(store, clock);
    }

    @Override
    public Created create(Wanted wanted) {
        var made =
                keys.create(
                        wanted.name(),
                        wanted.scopes(),
                        wanted.toolsets(),
                        wanted.volumes(),
                        wanted.expires());
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
                key.revoked());
    }

    @Override
    public boolean revoke(String id) {
        return keys.revoke(id).isPresent();
    }

    @Override
    public void close() {
        store.close();
    }
}
