package dev.caisson.environments;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Copy of what a bake left in its workspace, when nothing in it is alive any more: files that
/// anybody may read and nobody may write, directories, and links that stay inside. Anything else
/// fails the bake.
final class TreeCopy extends SimpleFileVisitor<Path> {
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("r--r--r--");
    private static final Set<PosixFilePermission> PROGRAM =
            PosixFilePermissions.fromString("r-xr-xr-x");

    /// What was copied.
    record Taken(long bytes, long files) {}

    private final Path from;
    private final Path to;
    private final long bytesMax;
    private final long filesMax;
    private long bytes;
    private long files;

    private TreeCopy(Path from, Path to, long bytesMax, long filesMax) {
        this.from = from;
        this.to = to;
        this.bytesMax = bytesMax;
        this.filesMax = filesMax;
    }

    /// @param to is made
    static Taken copy(Path from, Path to, long bytesMax, long filesMax) throws IOException {
        var copy = new TreeCopy(from, to, bytesMax, filesMax);
        Files.walkFileTree(from, copy);
        return new Taken(copy.bytes, copy.files);
    }

    private Path target(Path source) {
        return to.resolve(from.relativize(source).toString());
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
            throws IOException {
        count(0);
        Files.createDirectory(target(directory));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
            throws IOException {
        if (failure != null) {
            throw failure;
        }
        Files.setPosixFilePermissions(target(directory), PROGRAM);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        count(attributes.isRegularFile() ? attributes.size() : 0);
        if (attributes.isSymbolicLink()) {
            link(file);
        } else if (attributes.isRegularFile()) {
            boolean program = Files.isExecutable(file);
            Files.copy(file, target(file));
            Files.setPosixFilePermissions(target(file), program ? PROGRAM : FILE);
        } else {
            throw new IOException("%s is neither a file nor a directory".formatted(name(file)));
        }
        return FileVisitResult.CONTINUE;
    }

    private void count(long more) throws IOException {
        bytes += more;
        if (bytes > bytesMax) {
            throw new IOException("it takes more than %,d bytes".formatted(bytesMax));
        }
        if (++files > filesMax) {
            throw new IOException("it has more than %,d files".formatted(filesMax));
        }
    }

    private void link(Path file) throws IOException {
        var target = Files.readSymbolicLink(file);
        var parent = from.relativize(file).getParent();
        var meant = (parent == null ? Path.of("") : parent).resolve(target).normalize();
        if (target.isAbsolute() || meant.startsWith("..")) {
            throw new IOException("%s is a link that leads out".formatted(name(file)));
        }
        Files.createSymbolicLink(target(file), target);
    }

    private String name(Path file) {
        return from.relativize(file).toString();
    }
}
