package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/// Precondition of a change: what must be at a path for it to be made there. Whoever read a file,
/// and changes it by what it read, says so, and is refused when somebody else was faster.
///
/// All changes through the server are one after the other, see [FileTree]; a program that writes at
/// the very moment is not held up.
public sealed interface Expected {
    static Expected anything() {
        return new Anything();
    }

    /// No condition.
    record Anything() implements Expected {}

    /// There is nothing of that name yet.
    record Nothing() implements Expected {}

    /// There is a regular file.
    record Something() implements Expected {}

    /// There is a regular file in one of these versions.
    ///
    /// @param versions each a [ContentHash], or a [StoredFile#tag]
    record OneOf(Set<String> versions) implements Expected {
        public OneOf {
            versions = Set.copyOf(versions);
        }
    }

    /// @throws Refusal CHANGED when it is not there, TOO_LARGE when it cannot be compared
    default void require(UntrustedDirectory directory, FilePath path, CallerWorkers computing)
            throws IOException, InterruptedException {
        switch (this) {
            case Anything() -> {}
            case Nothing() -> requireNothing(directory, path);
            case Something() -> open(directory, path).close();
            case OneOf(var versions) -> {
                try (var content = open(directory, path)) {
                    requireOneOf(versions, content, computing);
                }
            }
        }
    }

    private static void requireNothing(UntrustedDirectory directory, FilePath path) {
        try {
            directory.look(path.nameBytes());
        } catch (KernelException failed) {
            if (failed.errno() == Errno.ENOENT) {
                return;
            }
            throw failed;
        }
        throw changed(path, "is there already", Map.of());
    }

    private static FileContent open(UntrustedDirectory directory, FilePath path)
            throws IOException {
        try {
            var opened = directory.read(path.nameBytes());
            return new FileContent(StoredFile.of(path, opened.node()), opened.channel());
        } catch (KernelException failed) {
            throw switch (failed.errno()) {
                case ENOENT, ELOOP, EINVAL, ENXIO, ENODEV, EISDIR ->
                        changed(path, "is not there, or is no regular file", Map.of());
                default -> failed;
            };
        }
    }

    private static void requireOneOf(
            Set<String> versions, FileContent content, CallerWorkers computing)
            throws IOException, InterruptedException {
        var file = content.file();
        if (versions.contains(file.tag())) {
            return;
        }
        if (versions.stream().noneMatch(ContentHash::isOne)) {
            throw changed(file.path(), "has changed", Map.of());
        }
        var hash =
                ContentHash.of(content, computing)
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.TOO_LARGE,
                                        file.path()
                                                + " is too large to be compared by its content;"
                                                + " store it by a signed link with If-Match."));
        if (!versions.contains(hash)) {
            throw changed(file.path(), "has changed", Map.of("hash", hash));
        }
    }

    private static Refusal changed(FilePath path, String how, Map<String, Object> details) {
        return new Refusal(
                Reason.CHANGED,
                path + " " + how + ". Nothing was done; read it again before you change it.",
                details);
    }
}
