package dev.caisson.storage.tree;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;

/// Opens directories so that every further step is relative to the open descriptor, and a path that
/// is swapped meanwhile leads nowhere else.
public final class OpenDirectories {
    private static final Path HERE = Path.of(".");

    private OpenDirectories() {}

    /// @param root a path of the server's own; it may be a descriptor's, such as `/proc/self/fd/7`
    public static SecureDirectoryStream<Path> open(Path root) throws IOException {
        @SuppressWarnings("StreamResourceLeak") // The caller closes it.
        var stream = Files.newDirectoryStream(root);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this platform has no secure directory streams");
    }

    /// The same directory once more, for its entries can be walked only once.
    public static SecureDirectoryStream<Path> reopen(SecureDirectoryStream<Path> directory)
            throws IOException {
        return directory.newDirectoryStream(HERE, NOFOLLOW_LINKS);
    }
}
