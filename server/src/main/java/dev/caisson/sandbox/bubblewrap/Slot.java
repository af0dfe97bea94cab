package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.PipeEnd;
import dev.caisson.linux.UserIds;
import dev.caisson.sandbox.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Slot of one sandbox: its directory and its user, both its own. Closed only when everything of
/// the sandbox is dead; the directory is gone then, and the user rests. An end of its pipe that
/// somebody still holds leads to nothing that is used again.
///
/// The directory holds `job/` (the program's text, shown read-only inside), `limits/` (see
/// [LimitFiles]), `control` (a pipe the guest reports through) and `boot.log` (what bubblewrap
/// said).
///
/// @param owner empty when the server is a plain user, and everything runs as that user
public record Slot(int number, Path directory, Optional<UserIds.Lease> owner)
        implements AutoCloseable {
    private static final int BOOT_LOG_BYTES_MAX = 4_096;

    /// A file without a byte would count as emptied.
    private static final byte[] NOTHING = {'\n'};

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
                ServerDirectories.delete(directory);
            }
        }
    }

    private void fill() throws IOException {
        own(directory, "rwx--x---");
        Files.createDirectory(directory.resolve("job"));
        own(directory.resolve("job"), "rwxr-x---");
        Files.createDirectory(directory.resolve("limits"));
        own(directory.resolve("limits"), "rwxr-x---");
        PipeEnd.make(control());
    }

    /// Lets this slot's user in, by its group, and nobody else.
    private void own(Path path, String mode) throws IOException {
        if (user().isPresent()) {
            Files.setAttribute(path, "unix:gid", user().getAsInt());
        }
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    public OptionalInt user() {
        return owner.map(lease -> OptionalInt.of(lease.uid())).orElse(OptionalInt.empty());
    }

    /// A name for the control group of a run in this slot that no other live run on this machine
    /// has, because no other has this user.
    public String groupName(long run) {
        return "run-%d-%d".formatted(user().orElse(number), run);
    }

    Path control() {
        return directory.resolve("control");
    }

    /// States the limits in the files that stand in for those of `/proc`. They are written in
    /// place, because a sandbox may have them already.
    public void state(Limits limits) throws IOException {
        for (var text : LimitFiles.of(limits).entrySet()) {
            var file = directory.resolve("limits").resolve(text.getKey());
            boolean there = Files.exists(file);
            Files.writeString(file, text.getValue());
            if (!there) {
                own(file, "rw-r-----");
            }
        }
    }

    /// Puts the program where the guest finds it.
    public void write(List<String> files, String code) throws IOException {
        var job = directory.resolve("job");
        var first = job.resolve(files.getFirst());
        boolean there = Files.exists(first);
        replace(first, code.getBytes(StandardCharsets.UTF_8));
        if (!there) {
            own(first, "rw-r-----");
        }
        for (var name : files.subList(1, files.size())) {
            Files.createLink(job.resolve(name), first);
        }
    }

    /// In place, and shortened afterwards: what was emptied first some file systems write to the
    /// disk at once.
    private static void replace(Path file, byte[] text) throws IOException {
        try (var to = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var rest = ByteBuffer.wrap(text);
            while (rest.hasRemaining()) {
                to.write(rest);
            }
            to.truncate(text.length);
        }
    }

    /// Takes out what a dead sandbox was given, for another one of the same user. The program's
    /// file stays and says nothing: on a disk, to make and delete files costs most of what a short
    /// run does, and more the more of them were deleted lately.
    ///
    /// @param program the name of its file
    public void empty(String program) throws IOException {
        try (var job = Files.newDirectoryStream(directory.resolve("job"))) {
            for (var file : job) {
                if (file.endsWith(program)) {
                    replace(file, NOTHING);
                } else {
                    Files.delete(file);
                }
            }
        }
    }

    /// The same for one that was given its program in one file, and nothing else.
    public void emptyProgram(String program) throws IOException {
        replace(directory.resolve("job").resolve(program), NOTHING);
    }

    /// Puts one more file beside it.
    ///
    /// @return its path inside
    public String put(String name, byte[] text) throws IOException {
        var file = directory.resolve("job").resolve(name);
        Files.write(file, text);
        own(file, "rw-r-----");
        return "/run/job/" + name;
    }

    /// Makes a directory beside it, to which something is attached.
    ///
    /// @return its path inside
    public String place(String name) throws IOException {
        var place = directory.resolve("job").resolve(name);
        if (Files.notExists(place)) {
            Files.createDirectory(place);
            own(place, "rwxr-x---");
        }
        return "/run/job/" + name;
    }

    public void remove(String name) throws IOException {
        Files.delete(directory.resolve("job").resolve(name));
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
            ServerDirectories.delete(directory);
        } finally {
            owner.ifPresent(UserIds.Lease::close);
        }
    }
}
