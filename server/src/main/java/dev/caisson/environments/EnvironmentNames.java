package dev.caisson.environments;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.store.Store;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Names of environments, as all servers of a database know them: each stands for a hash.
final class EnvironmentNames {
    private final Store store;

    EnvironmentNames(Store store) {
        this.store = store;
    }

    /// The hash that each name stands for, in the order of the names.
    Map<String, String> hashes() {
        var all = new LinkedHashMap<String, String>();
        store.read(EnvironmentRows::list).forEach(row -> all.put(row.name(), row.hash()));
        return all;
    }

    /// Has a name stand for a hash.
    ///
    /// @return what it stood for before
    Optional<String> put(String name, String hash, Manifest manifest, Instant now) {
        var before = Optional.ofNullable(hashes().get(name));
        var row = new EnvironmentRows.Row(name, hash, Json.text(Records.tree(manifest)), now);
        store.write(handle -> {
            EnvironmentRows.put(handle, row);
            return row;
        });
        return before;
    }

    /// @return what it stood for; empty when there was no such name
    Optional<String> remove(String name) {
        var hash = Optional.ofNullable(hashes().get(name));
        int removed = store.write(handle -> EnvironmentRows.remove(handle, name));
        return removed == 0 ? Optional.empty() : hash;
    }
}
