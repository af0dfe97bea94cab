package dev.caisson.storage;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;

/// A thread as its caller sees it.
///
/// @param modified when something last changed in it
/// @param busy whether an execution uses it now
/// @param filesLost whether it had files and they are not there any more
public record ThreadInfo(
        String id, Usage usage, Instant modified, boolean busy, boolean filesLost) {
    /// The latest time of what is in a thread's directory.
    static Instant modified(Path directory) throws IOException {
        try (var inside = Files.newDirectoryStream(directory)) {
            var latest = Instant.EPOCH;
            for (var each : inside) {
                var described = String.valueOf(each.getFileName()).contains("meta");
                var time = described ? Instant.EPOCH : modifiedOrGone(each);
                latest = time.isAfter(latest) ? time : latest;
            }
            return latest.equals(Instant.EPOCH)
                    ? Files.getLastModifiedTime(directory).toInstant()
                    : latest;
        }
    }

    private static Instant modifiedOrGone(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file, NOFOLLOW_LINKS).toInstant();
        } catch (NoSuchFileException draft) {
            return Instant.EPOCH;
        }
    }
}
