package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Threads in the database, each with the data directory that has its files. What is kept in a
/// directory of which no server is alive counts as ours too: the directory may be lost.
public final class StoredThreads implements ThreadRegistry {
    /// How many are remembered as known, to spare the database.
    private static final int REMEMBERED_MAX = 10_000;

    private final Store store;
    private final Clock clock;
    private final String directory;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /// @param directory names the data directory
    public StoredThreads(Store store, Clock clock, String directory) {
        this.store = store;
        this.clock = clock;
        this.directory = directory;
    }

    @Override
    public boolean isKnown(String place) {
        return store.read(handle ->
                handle.query(
                                        """
                                        SELECT COUNT(*) FROM thread
                                        WHERE place = :place AND (directory = :directory
                                            OR NOT EXISTS (SELECT 1 FROM server
                                                WHERE server.directory = thread.directory))
                                        """)
                                .bind("place", place)
                                .bind("directory", directory)
                                .mapTo(Long.class)
                                .one()
                        > 0);
    }

    @Override
    public void add(Caller caller, String threadId, String place) {
        if (known.contains(place)) {
            return;
        }
        store.write(handle ->
                handle.execute(
                        "INSERT INTO thread (directory, place, owner, thread, created_at)"
                                + " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        directory,
                        place,
                        caller.id(),
                        threadId,
                        clock.millis()));
        if (known.size() >= REMEMBERED_MAX) {
            known.clear();
        }
        known.add(place);
    }

    @Override
    public void remove(String place) {
        known.remove(place);
        store.write(handle ->
                handle.execute(
                        "DELETE FROM thread WHERE place = ? AND (directory = ?"
                                + " OR NOT EXISTS (SELECT 1 FROM server"
                                + " WHERE server.directory = thread.directory))",
                        place,
                        directory));
    }
}
