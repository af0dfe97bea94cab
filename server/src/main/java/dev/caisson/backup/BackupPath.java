package dev.caisson.backup;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Path of a file in a [Backup]: one of its own files, or `<kind>/<id>/<file>`. There is no other
/// shape, so that no path of a manifest leads anywhere else.
///
/// @param directory such as `threads/<id>`; empty for a file at the top
record BackupPath(Optional<String> directory, String file) {
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z][0-9A-Za-z_-]{0,127}");

    /// A draft of a description, or a change of several files, is there when a server was killed
    /// over it.
    private static final Pattern WORKSPACE =
            Pattern.compile(
                    "workspace\\.img|files\\.tar|meta\\.json|\\.meta-[0-9a-f-]{36}"
                            + "|[0-9a-z]{1,60}-[0-9a-f-]{36}\\.change");

    private static final Map<String, Pattern> FILES =
            Map.of(
                    "owners", ID,
                    "threads", WORKSPACE,
                    "volumes", WORKSPACE,
                    "output", Pattern.compile("stdout|stderr|data|timeline|owner-[0-9a-f]{64}"));

    /// What was not in the database yet.
    private static final Pattern PENDING =
            Pattern.compile("(journal|ledger|executions)-[0-9A-Za-z-]{1,64}\\.pending");

    /// @return empty when a backup has no such file
    static Optional<BackupPath> of(String path) {
        var names = path.split("/", -1);
        if (names.length == 1) {
            return path.equals(Backup.DATABASE)
                            || Backup.SECRETS.contains(path)
                            || PENDING.matcher(path).matches()
                    ? Optional.of(new BackupPath(Optional.empty(), path))
                    : Optional.empty();
        }
        if (names.length != 3 || !FILES.containsKey(names[0])) {
            return Optional.empty();
        }
        return ID.matcher(names[1]).matches() && FILES.get(names[0]).matcher(names[2]).matches()
                ? Optional.of(new BackupPath(Optional.of(names[0] + "/" + names[1]), names[2]))
                : Optional.empty();
    }

    /// Whether it is a workspace that is a plain directory.
    boolean isTar() {
        return file.equals(Backup.TAR);
    }

    boolean isDatabase() {
        return directory.isEmpty() && file.equals(Backup.DATABASE);
    }

    /// Whether a regular file is there, and no link on the way to it.
    boolean isIn(Path root) {
        return Files.isRegularFile(below(root), NOFOLLOW_LINKS)
                && (directory.isEmpty()
                        || (Files.isDirectory(parent(root), NOFOLLOW_LINKS)
                                && Files.isDirectory(
                                        parent(root).resolveSibling(".").normalize(),
                                        NOFOLLOW_LINKS)));
    }

    Path below(Path root) {
        return parent(root).resolve(file);
    }

    Path parent(Path root) {
        return directory.map(root::resolve).orElse(root);
    }
}
