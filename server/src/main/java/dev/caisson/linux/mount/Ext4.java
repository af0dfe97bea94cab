package dev.caisson.linux.mount;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Maker and checker of the ext4 file systems inside images, with the system's own tools.
public final class Ext4 {
    public static final List<String> TOOLS = List.of("mkfs.ext4", "e2fsck", "debugfs");

    private static final Duration TOOL_MAX = Duration.ofMinutes(5);
    private static final int SUPERBLOCK = 1024;
    private static final int MAGIC = 0xEF53;
    private static final int CLEAN = 1;
    private static final int NOT_CORRECTED = 4;

    /// The ten the file system keeps for itself, and `lost+found`, whose place is free later.
    private static final long OWN_FILES = 11;

    public static final long RESERVED_FILES = 10;

    private Ext4() {}

    /// No journal: what is lost when the machine loses power is a workspace's last seconds, and a
    /// check puts it right. No reserve for root, and no `lost+found` for users to wonder about.
    public static void make(Path image, long bytes, long files, int owner) throws IOException {
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(bytes);
        }
        run(
                0,
                "mkfs.ext4",
                "-q",
                "-F",
                "-b",
                "4096",
                "-O",
                "^has_journal,^resize_inode",
                "-m",
                "0",
                "-N",
                Long.toString(files + OWN_FILES),
                "-E",
                "root_owner=%d:%d,lazy_itable_init=1,nodiscard".formatted(owner, owner),
                image.toString());
        removeLostAndFound(image);
    }

    /// Whether it was unmounted properly the last time and has no known errors.
    public static boolean isClean(Path image) throws IOException {
        try (var file = new RandomAccessFile(image.toFile(), "r")) {
            if (file.length() < 2 * SUPERBLOCK || littleEndian(file, SUPERBLOCK + 56) != MAGIC) {
                throw new IOException(image + " holds no ext4 file system");
            }
            return littleEndian(file, SUPERBLOCK + 58) == CLEAN;
        }
    }

    private static int littleEndian(RandomAccessFile file, long at) throws IOException {
        file.seek(at);
        return Short.toUnsignedInt(Short.reverseBytes(file.readShort()));
    }

    /// Repairs what can be repaired without thought, and then the rest: a workspace that opens with
    /// a file less is better than one that never opens.
    public static void repair(Path image) throws IOException {
        if (run(Integer.MAX_VALUE, "e2fsck", "-p", image.toString()) >= NOT_CORRECTED) {
            run(NOT_CORRECTED - 1, "e2fsck", "-f", "-y", image.toString());
        }
        removeLostAndFound(image);
    }

    /// Only when it is empty: `rmdir` refuses otherwise, which is fine.
    private static void removeLostAndFound(Path image) throws IOException {
        run(Integer.MAX_VALUE, "debugfs", "-w", "-R", "rmdir lost+found", image.toString());
    }

    /// @param codeMax the highest exit code that is fine
    private static int run(int codeMax, String tool, String... arguments) throws IOException {
        var command = new ArrayList<String>(List.of(located(tool)));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            process.getOutputStream().close();
            var said = new String(output.readNBytes(1 << 16), StandardCharsets.UTF_8);
            output.transferTo(OutputStream.nullOutputStream());
            if (!process.waitFor(TOOL_MAX.toSeconds(), TimeUnit.SECONDS)) {
                throw new IOException(tool + " does not end");
            }
            if (process.exitValue() > codeMax) {
                throw new IOException(
                        "%s ended with %d: %s".formatted(tool, process.exitValue(), said.strip()));
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(tool + " was interrupted", interrupted);
        } finally {
            process.destroyForcibly();
        }
    }

    /// These live where an ordinary user's path does not lead.
    private static String located(String tool) {
        for (var directory : List.of("/usr/sbin", "/sbin", "/usr/bin")) {
            var path = Path.of(directory, tool);
            if (Files.isExecutable(path)) {
                return path.toString();
            }
        }
        return tool;
    }

    public static boolean installed(String tool) {
        return located(tool).startsWith("/");
    }
}
