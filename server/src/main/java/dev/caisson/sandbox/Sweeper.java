package dev.caisson.sandbox;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.ServerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes what a killed server left behind. Its sandboxes died with it and took their mounts
/// along; what stays are control groups, and directories named after the server that made them.
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    private Sweeper() {}

    /// @return the directory of this server, empty
    static Path sweep(Path directory, ServerToken owner, Cgroups groups) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        int removed = sweepGroups(groups);
        try (var leftovers = Files.newDirectoryStream(directory)) {
            for (var leftover : leftovers) {
                if (isDead(leftover)) {
                    Trees.delete(leftover);
                    removed++;
                }
            }
        }
        if (removed > 0) {
            LOG.info("removed {} leftovers of servers that were killed", removed);
        }
        var own = directory.resolve(owner.toString());
        Trees.delete(own);
        Trees.directory(own);
        return own;
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
        var name = leftover.getFileName();
        return name != null
                && ServerToken.parse(name.toString()).filter(token -> !token.isAlive()).isPresent();
    }
}
