package dev.caisson.storage.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The top directory of a workspace, which belongs to the program.
public final class Roots {
    private static final Set<PosixFilePermission> OWNERS =
            PosixFilePermissions.fromString("rwx------");

    private Roots() {}

    /// Makes sure that the next program can enter, whatever the last one did to the directory it
    /// stood in: a thread cannot be locked by what ran in it.
    ///
    /// @param root opened by the server, or in a directory that is the server's alone
    public static void reopen(Path root) throws IOException {
        var permissions = Files.getPosixFilePermissions(root);
        if (permissions.addAll(OWNERS)) {
            Files.setPosixFilePermissions(root, permissions);
        }
    }
}
