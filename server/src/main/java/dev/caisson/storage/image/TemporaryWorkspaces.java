package dev.caisson.storage.image;

import dev.caisson.linux.ServerToken;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.HashedNames;
import dev.caisson.storage.Lease;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Temporary workspaces, one per run without a thread: erased when the run is over. What is in
/// their directory when a server starts and belongs to none that is alive is erased as well.
public final class TemporaryWorkspaces {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryWorkspaces.class);

    private final Path directory;
    private final WorkspaceMaker maker;
    private final OpenWorkspaces places;

    /// How many each caller has now.
    private final Map<String, Integer> counts = new ConcurrentHashMap<>();

    public TemporaryWorkspaces(Path directory, WorkspaceMaker maker, OpenWorkspaces places)
            throws IOException {
        this.directory = HashedNames.privateDirectory(directory);
        this.maker = maker;
        this.places = places;
        eraseLeftovers();
    }

    /// A name that nothing has, for a directory that is erased soon.
    public Path freshPlace() {
        return directory.resolve(freshName());
    }

    private static String freshName() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        var name = hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
        return ServerToken.own() + "-" + name;
    }

    /// A workspace that is erased when the lease is closed, or a moment later.
    ///
    /// @param callerId whose it is
    public Lease lease(String callerId) {
        var directory = freshPlace();
        boolean busy = counts.merge(callerId, 1, Integer::sum) > 1;
        return new Lease(
                () -> open(directory, callerId, busy), true, () -> end(directory, callerId));
    }

    /// The same in memory where that is possible.
    ///
    /// @param runBytes the memory of the run it is for
    public Lease leaseInMemory(String callerId, long runBytes) {
        return maker.bytesInMemory(runBytes).isEmpty()
                ? lease(callerId)
                : new Lease(
                        () -> Lease.temporary(maker.inMemory(runBytes).orElseThrow()),
                        true,
                        () -> {});
    }

    private OpenWorkspaces.Use open(Path directory, String callerId, boolean busy) {
        return maker.temporary(callerId, busy)
                .map(Lease::temporary)
                .orElseGet(() -> made(directory, callerId));
    }

    private OpenWorkspaces.Use made(Path directory, String callerId) {
        try {
            return places.use(HashedNames.privateDirectory(directory), callerId);
        } catch (IOException e) {
            throw new UncheckedIOException("a workspace cannot be made", e);
        }
    }

    private void end(Path directory, String callerId) {
        counts.computeIfPresent(callerId, (_, count) -> count > 1 ? count - 1 : null);
        if (Files.exists(directory)) {
            eraseAlone(directory);
        }
    }

    /// Nobody comes back for it, so it does not stay open either.
    private void eraseAlone(Path directory) {
        try {
            places.alone(directory, () -> erase(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Another process may serve from the same directory, such as one on standard input and output.
    private void eraseLeftovers() throws IOException {
        try (var left = Files.newDirectoryStream(directory)) {
            for (var each : left) {
                if (!ServerToken.isAliveIn(each)) {
                    erase(each);
                }
            }
        }
    }

    /// A run does not lose its result because its workspace resists; the next start tries again.
    public static void erase(Path directory) {
        try {
            Erasure.erase(directory);
        } catch (UncheckedIOException e) {
            LOG.warn("workspace {} is left for the next start", directory.getFileName(), e);
        }
    }
}
