package dev.caisson.linux;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The [maps][IdMap] from the one id on disk to the ids sandboxes run as, each made when it is
/// first asked for and kept until this is closed.
public final class IdMaps implements AutoCloseable {
    private final int onDisk;
    private final Map<Integer, IdMap> byHostId = new ConcurrentHashMap<>();

    public IdMaps(int onDisk) {
        this.onDisk = onDisk;
    }

    /// @param inHost the user a sandbox runs as
    public IdMap to(int inHost) {
        return byHostId.computeIfAbsent(inHost, wanted -> IdMap.create(onDisk, wanted));
    }

    @Override
    public void close() {
        byHostId.values().forEach(IdMap::close);
        byHostId.clear();
    }
}
