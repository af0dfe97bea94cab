package dev.caisson.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lease of this process on the rows it has under way: a row of the table `server`, and a locked
/// file of the same name in the data directory. What a process has under way carries its id in a
/// column `server`; without a row of that id it is nobody's, and may be settled.
///
/// Two things end a lease that its process did not give back:
///
/// - its file is in our data directory, and nobody has it locked;
/// - its beat stood still at so many looks of ours, one after another. Looks are counted, not time:
///   clocks of machines differ, and after an outage of the database everybody beats again before
///   anybody has looked often enough.
///
/// Servers with the same database file share its directory, so there the first is enough.
final class ServerLease implements AutoCloseable {
    /// How often a beat is due, and the others are looked at.
    static final Duration BEAT = Duration.ofSeconds(10);

    /// As many looks take five minutes.
    static final int LOOKS_MAX = 30;

    private static final Logger LOG = LoggerFactory.getLogger(ServerLease.class);
    private static final String KIND = "server";
    private static final int FILE_BYTES = 64;

    private final Store store;
    private final Path data;
    private final String directory;
    private final Pace pace;
    private final MappedFile file;
    private final Map<String, Seen> others = new HashMap<>();
    private final Thread beating;
    private long beat;

    /// @param every how often a beat is due; empty where locks are enough
    record Pace(Duration every, int looksMax, boolean locksAreEnough) {}

    /// A beat of another, and how often it was looked at in vain since it came.
    private record Seen(long beat, int looks) {}

    /// @param data the data directory
    /// @param directory names it among those of other servers
    ServerLease(Store store, Path data, String directory, Pace pace) {
        this.store = store;
        this.data = data;
        this.directory = directory;
        this.pace = pace;
        this.file = MappedFile.create(data, KIND, FILE_BYTES);
        try {
            store.write(this::renew);
        } catch (RuntimeException failure) {
            file.remove();
            throw failure;
        }
        this.beating = Thread.ofVirtual().name("server-lease").unstarted(this::keep);
        if (!pace.locksAreEnough()) {
            beating.start();
        }
    }

    /// Whether a process has a lease in this data directory.
    static boolean isAlive(Path data) {
        return MappedFile.isHeld(data, KIND);
    }

    String id() {
        return file.name();
    }

    private int renew(Transaction handle) {
        beat++;
        return handle.execute(
                "INSERT INTO server (id, directory, beat) VALUES (?, ?, ?)"
                        + " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat",
                id(),
                directory,
                beat);
    }

    private void keep() {
        try {
            while (true) {
                Thread.sleep(pace.every());
                try {
                    store.write(this::renew);
                    look();
                } catch (RuntimeException away) {
                    LOG.debug("the lease of this server is renewed later", away);
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Counts for how many looks the beat of each other stood still.
    private synchronized void look() {
        var beats = beats();
        others.keySet().retainAll(beats.keySet());
        beats.forEach((id, now) ->
                others.merge(
                        id,
                        new Seen(now, 0),
                        (before, fresh) ->
                                before.beat() == now ? new Seen(now, before.looks() + 1) : fresh));
    }

    private Map<String, Long> beats() {
        return store.read(handle ->
                handle.query("SELECT id, beat FROM server WHERE id <> :own")
                        .bind("own", id())
                        .numbers("id", "beat"));
    }

    /// Ends the leases of processes that are gone.
    ///
    /// @return how many
    synchronized int endOthers() {
        var ended = 0;
        // Before the files: a process has its file first, and its row then.
        var rows = beats().keySet();
        for (var left : MappedFile.left(data, KIND, FILE_BYTES)) {
            ended += end(left.name());
            left.remove();
        }
        for (var id : rows) {
            if (isStill(id) || (pace.locksAreEnough() && Files.notExists(data.resolve(id)))) {
                ended += end(id);
            }
        }
        return ended;
    }

    private boolean isStill(String id) {
        return others.containsKey(id)
                && others.get(id).looks() >= pace.looksMax()
                && Files.notExists(data.resolve(id));
    }

    private int end(String id) {
        others.remove(id);
        return store.write(handle -> handle.execute("DELETE FROM server WHERE id = ?", id));
    }

    /// Gives the lease back.
    @Override
    public void close() {
        beating.interrupt();
        try {
            end(id());
        } catch (RuntimeException away) {
            LOG.debug("the lease of this server ends later", away);
        }
        file.remove();
    }
}
