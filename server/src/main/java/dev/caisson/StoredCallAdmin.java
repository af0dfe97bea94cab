package dev.caisson;

import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.cli.CallAdmin;
import dev.caisson.cli.DataUse;
import dev.caisson.identity.SecretFile;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.ledger.ShownCall;
import dev.caisson.ledger.UnknownCalls;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Administration of calls with an unknown outcome in the database, for the command line.
final class StoredCallAdmin implements CallAdmin {
    private static final int SHOWN_MAX = 200;

    private final Store store;
    private final UnknownCalls calls;
    private final Path directory;

    StoredCallAdmin(Config config, Clock clock) {
        StoredKeyAdmin.createDirectory(config.data());
        directory = config.data().directory();
        var digest = new KeyedDigest(SecretFile.read(Core.secret(config.data())));
        store = Database.open(config.data());
        calls = new UnknownCalls(StoredKeyAdmin.broker(config, store, digest, clock), store, clock);
    }

    @Override
    public JsonNode list() {
        var list = Json.array();
        calls.list(Caller.LOCAL, Optional.empty(), SHOWN_MAX)
                .forEach(one -> list.add(Records.tree(ShownCall.of(one))));
        return list;
    }

    @Override
    public JsonNode reconcile(String id, boolean happened) throws InterruptedException {
        return Records.tree(ShownCall.of(calls.decide(StoredKeyAdmin.call(), id, happened)));
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
