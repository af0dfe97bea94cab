package dev.caisson.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/// What a file holds in a few characters: `sha256:` and 64 hexadecimal digits.
public final class ContentHash {
    /// As a regular expression.
    public static final String PATTERN = "sha256:[0-9a-f]{64}";

    /// A larger file is not read only to say this.
    public static final long BYTES_MAX = 64L << 20;

    private static final String PREFIX = "sha256:";

    private ContentHash() {}

    static boolean isOne(String text) {
        return text.startsWith(PREFIX);
    }

    public static String of(byte[] bytes) {
        return PREFIX + Handles.hash(bytes);
    }

    static String of(MessageDigest digest) {
        return PREFIX + HexFormat.of().formatHex(digest.digest());
    }

    /// @return empty for a file that is too large
    public static Optional<String> of(FileContent content) throws IOException {
        var size = content.file().size();
        if (size > BYTES_MAX) {
            return Optional.empty();
        }
        var digest = Handles.sha256();
        content.copy(0, size, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        return Optional.of(of(digest));
    }
}
