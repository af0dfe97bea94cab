package dev.caisson.storage.volume;

import dev.caisson.config.RepeatedLook;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.VolumeMounts;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Watch for revoked grants: looks for grants that were taken away by whichever process on this
/// database, and ends the runs that have such a volume mounted. A grant taken away by this process
/// ends them at once, one by another within [#INTERVAL].
///
/// Only volumes that are mounted now are looked up: without one the store is not asked.
public final class GrantWatch implements AutoCloseable {
    /// How often to look.
    static final Duration INTERVAL = Duration.ofSeconds(1);

    private final VolumeMounts mounts;
    private final Store store;
    private final RepeatedLook looks;

    public GrantWatch(VolumeMounts mounts, Store store) {
        this.mounts = mounts;
        this.store = store;
        this.looks = RepeatedLook.start("grants of volumes", INTERVAL, this::look);
    }

    private void look() {
        var mounted = mounts.all();
        if (!mounted.isEmpty()) {
            store.read(handle -> over(handle, mounted)).forEach(VolumeMounts.Right::end);
        }
    }

    private static List<VolumeMounts.Right> over(
            Transaction handle, List<VolumeMounts.Right> mounted) {
        Map<String, Map<String, VolumeAccess>> known = new HashMap<>();
        return mounted.stream()
                .filter(right -> {
                    var allowed = known.computeIfAbsent(right.volume(), id -> allowed(handle, id));
                    return Optional.ofNullable(allowed.get(right.caller()))
                            .filter(access -> access.covers(right.access()))
                            .isEmpty();
                })
                .toList();
    }

    /// Who may use a volume, its owner among them; nobody when it is gone.
    private static Map<String, VolumeAccess> allowed(Transaction handle, String volume) {
        var all = new HashMap<String, VolumeAccess>();
        VolumeRows.findById(handle, volume)
                .ifPresent(row -> {
                    all.putAll(VolumeRows.grants(handle, volume));
                    all.put(row.owner(), VolumeAccess.WRITE);
                });
        return all;
    }

    @Override
    public void close() {
        looks.close();
    }
}
