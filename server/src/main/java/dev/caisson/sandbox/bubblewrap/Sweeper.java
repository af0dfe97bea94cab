package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.ServerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sweeper of what a killed server left behind. Its sandboxes died with it and took their mounts
/// along; what stays are control groups, and directories named after the server that made them.
public final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    private static final int SERVERS_MAX = 1_000;

    private Sweeper() {}

    /// @return the directory of this server, empty
    public static Path sweep(Path directory, ServerToken owner, Cgroups groups) throws IOException {
        var parent = Objects.requireNonNull(directory.toAbsolutePath().getParent());
        // One of root's own, through which the users of sandboxes pass whatever the umask was.
        boolean passable = parent.startsWith("/run") && Files.notExists(parent);
        Files.createDirectories(directory);
        for (var each : passable ? List.of(parent, directory) : List.of(directory)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwx--x--x"));
        }
        int removed = sweepGroups(groups);
        try (var leftovers = Files.newDirectoryStream(directory)) {
            for (var leftover : leftovers) {
                if (isDead(leftover)) {
                    ServerDirectories.delete(leftover);
                    removed++;
                }
            }
        }
        if (removed > 0) {
            LOG.info("removed {} leftovers of killed servers", removed);
        }
        return own(directory, owner);
    }

    /// Another server of the same process has its own directory beside.
    private static Path own(Path directory, ServerToken owner) throws IOException {
        for (int number = 0; number < SERVERS_MAX; number++) {
            var own = directory.resolve(number == 0 ? owner.toString() : owner + "-" + number);
            if (Files.notExists(own)) {
                ServerDirectories.directory(own);
                return own;
            }
        }
        throw new IOException("too many servers of this process in " + directory);
    }

    private static int sweepGroups(Cgroups groups) throws IOException {
        try {
            return groups.sweep();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while removing leftovers", interrupted);
        }
    }

    private static boolean isDead(Path leftover) {
        var token = String.valueOf(leftover.getFileName()).split("-", 2)[0];
        return ServerToken.parse(token).filter(each -> !each.isAlive()).isPresent();
    }
}
