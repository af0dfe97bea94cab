package dev.caisson.linux.mount;

import dev.caisson.linux.ServerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Draft of a file, which becomes it whole or not at all. It gets its name when it is complete, so
/// that nobody ever finds half of it, also when this process is killed meanwhile: then the draft
/// stays, until the next file is drafted in that directory or the directory goes.
public record DraftFile(Path path) implements AutoCloseable {
    private static final String SUFFIX = ".draft";

    /// A name for a file that is not there yet.
    public static DraftFile in(Path directory) throws IOException {
        try (var left = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (var each : left) {
                if (!ServerToken.isAliveIn(each)) {
                    Files.deleteIfExists(each);
                }
            }
        }
        var random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return new DraftFile(directory.resolve(ServerToken.own() + "-" + random + SUFFIX));
    }

    /// @throws java.nio.file.FileAlreadyExistsException when there is a file of that name
    public void become(Path file) throws IOException {
        Files.createLink(file, path);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}
