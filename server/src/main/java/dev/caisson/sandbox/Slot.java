package dev.caisson.sandbox;

import dev.caisson.linux.PipeEnd;
import dev.caisson.linux.UserIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What one sandbox stands on: its directory and its user, both its own. Closed only when
/// everything of the sandbox is dead; the directory is gone then, and the user rests. An end of its
/// pipe that somebody still holds leads to nothing that is used again.
///
/// The directory holds `job/` (the program's text, shown read-only inside), `control` (a pipe the
/// guest reports through) and `boot.log` (what bubblewrap said).
///
/// @param owner empty when the server is a plain user, and everything runs as that user
record Slot(int number, Path directory, Optional<UserIds.Lease> owner) implements AutoCloseable {
    private static final int BOOT_LOG_BYTES_MAX = 4_096;

    /// @param directory not there yet
    static Slot create(Path directory, int number, Optional<UserIds.Lease> owner)
            throws IOException {
        var slot = new Slot(number, directory, owner);
        Files.createDirectory(directory);
        boolean filled = false;
        try {
            slot.fill();
            filled = true;
            return slot;
        } finally {
            if (!filled) {
                Trees.delete(directory);
            }
        }
    }

    private void fill() throws IOException {
        own(directory, "rwx--x---");
        Files.createDirectory(directory.resolve("job"));
        own(directory.resolve("job"), "rwxr-x---");
        PipeEnd.make(control());
    }

    /// Lets this slot's user in, by its group, and nobody else.
    void own(Path path, String mode) throws IOException {
        if (user().isPresent()) {
            Files.setAttribute(path, "unix:gid", user().getAsInt());
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    OptionalInt user() {
        return owner.map(lease -> OptionalInt.of(lease.uid())).orElse(OptionalInt.empty());
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

    @Override
    public void close() throws IOException {
        try {
            Trees.delete(directory);
        } finally {
            owner.ifPresent(UserIds.Lease::close);
        }
    }
}
