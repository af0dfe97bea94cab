package dev.caisson;

import dev.caisson.identity.NewKey;
import java.io.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Delivery of the first key, which may do everything, to the operator. On a terminal it is shown.
/// A journal would keep it for every reader of the journal, so it goes to a file that only its
/// owner can read. Any other output, such as a pipe, gets it with a warning.
///
/// @param key to show
/// @param words to add
record FirstKey(Optional<NewKey> key, Optional<String> words) {
    static final String FILE = "first-key";

    /// What becomes of what we print.
    enum Output {
        TERMINAL,
        JOURNAL,
        /// A pipe or a file.
        ELSEWHERE;

        /// @param environment of this process; systemd says there which stream is its journal
        /// @param stdout what is behind it
        static Output of(Map<String, String> environment, Path stdout, @Nullable Console console) {
            if (isJournal(environment.getOrDefault("JOURNAL_STREAM", ""), stdout)) {
                return JOURNAL;
            }
            return console != null && console.isTerminal() ? TERMINAL : ELSEWHERE;
        }

        /// @param stream its device and its inode, with a colon between
        private static boolean isJournal(String stream, Path stdout) {
            try {
                var device = Files.getAttribute(stdout, "unix:dev");
                var inode = Files.getAttribute(stdout, "unix:ino");
                return stream.equals(device + ":" + inode);
            } catch (IOException | UnsupportedOperationException _) {
                return !stream.isEmpty();
            }
        }
    }

    /// Makes the first key, when there is none.
    @FunctionalInterface
    interface Maker {
        /// @param beforehand is given the key before it can be used; when it fails, there is none
        Optional<NewKey> make(Consumer<NewKey> beforehand);
    }

    static FirstKey make(Maker maker, Path directory, Output output) {
        return switch (output) {
            case TERMINAL -> new FirstKey(maker.make(_ -> {}), Optional.empty());
            case ELSEWHERE -> {
                var made = maker.make(_ -> {});
                yield new FirstKey(
                        made,
                        made.map(_ ->
                                "This is not a terminal: everybody who can read this output later can"
                                        + " read the first key, which may do everything."));
            }
            case JOURNAL ->
                    new FirstKey(Optional.empty(), inFile(maker, directory).map(FirstKey::says));
        };
    }

    private static String says(Path file) {
        return "The first key, which may do everything, is not shown here, because a journal keeps"
                + " this output. It is in "
                + file
                + ": read it, then delete the file.";
    }

    /// The file is written before the key can be used, so that no key exists which nobody has. It
    /// takes its name afterwards: another process may make the first key at the same time.
    private static Optional<Path> inFile(Maker maker, Path directory) {
        var file = directory.resolve(FILE).toAbsolutePath();
        var draft = file.resolveSibling(FILE + "-" + UUID.randomUUID());
        boolean made = false;
        try {
            made = maker.make(key -> write(key.secret(), draft)).isPresent();
        } finally {
            if (!made) {
                draft.toFile().delete();
            }
        }
        return made ? Optional.of(renamed(draft, file)) : Optional.empty();
    }

    private static Path renamed(Path draft, Path file) {
        try {
            return Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException _) {
            return draft;
        }
    }

    private static void write(String secret, Path file) {
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = Files.newByteChannel(file, options, ownerOnly)) {
            channel.write(ByteBuffer.wrap((secret + "\n").getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException failure) {
            throw new UncheckedIOException("the first key cannot be written to " + file, failure);
        }
    }
}
