package dev.caisson.sandbox;

import dev.caisson.linux.IdMap;
import dev.caisson.linux.UserIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A place for one live sandbox at a time: its directory and its user. Used again only when
/// everything of the sandbox before is dead.
///
/// The directory holds `job/` (the program's text, shown read-only inside), `control` (a pipe the
/// guest reports through) and `boot.log` (what bubblewrap said).
///
/// @param owner empty when the server is a plain user, and everything runs as that user
record Slot(int number, Path directory, Optional<User> owner) implements AutoCloseable {
    private static final int BOOT_LOG_BYTES_MAX = 4_096;

    /// The host user a sandbox runs as.
    ///
    /// @param map from the owner of workspaces on disk to this user
    record User(UserIds.Lease lease, IdMap map) {}

    static Slot create(Path directory, int number, Optional<User> owner) throws IOException {
        Trees.delete(directory);
        var slot = new Slot(number, directory, owner);
        Files.createDirectories(directory);
        slot.own(directory, "rwx--x---");
        Files.createDirectory(directory.resolve("job"));
        slot.own(directory.resolve("job"), "rwxr-x---");
        makePipe(directory.resolve("control"));
        return slot;
    }

    /// Lets this slot's user in, by its group, and nobody else.
    void own(Path path, String mode) throws IOException {
        if (user().isPresent()) {
            Files.setAttribute(path, "unix:gid", user().getAsInt());
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void makePipe(Path path) throws IOException {
        var made = new ProcessBuilder("mkfifo", "-m", "600", path.toString()).start();
        try {
            if (made.waitFor() != 0) {
                throw new IOException("mkfifo failed for " + path);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making " + path, interrupted);
        }
    }

    OptionalInt user() {
        return owner.map(user -> OptionalInt.of(user.lease().uid())).orElse(OptionalInt.empty());
    }

    Optional<IdMap> map() {
        return owner.map(User::map);
    }

    /// A name for the control group of a run in this slot that no other live run on this machine
    /// has, because no other has this user.
    String groupName(long run) {
        return "run-%d-%d".formatted(user().orElse(number), run);
    }

    Path control() {
        return directory.resolve("control");
    }

    /// Puts the program where the guest finds it.
    void write(List<String> files, String code) throws IOException {
        var job = directory.resolve("job");
        var first = job.resolve(files.getFirst());
        Files.write(first, code.getBytes(StandardCharsets.UTF_8));
        own(first, "rw-r-----");
        for (var name : files.subList(1, files.size())) {
            Files.createLink(job.resolve(name), first);
        }
    }

    /// What bubblewrap said, for the case that no guest came up.
    String bootLog() {
        try (var log = Files.newInputStream(directory.resolve("boot.log"))) {
            return new String(log.readNBytes(BOOT_LOG_BYTES_MAX), StandardCharsets.UTF_8).strip();
        } catch (IOException none) {
            return "";
        }
    }

    /// Takes the last program away.
    void clear() throws IOException {
        try (var files = Files.newDirectoryStream(directory.resolve("job"))) {
            for (var file : files) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        owner.ifPresent(user -> {
            user.map().close();
            user.lease().close();
        });
        Trees.delete(directory);
    }
}
