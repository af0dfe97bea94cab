package dev.caisson.storage;

import dev.caisson.call.Digests;
import dev.caisson.share.CallerWorkers;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Content hash of a file: `sha256:` and 64 hexadecimal digits.
public final class ContentHash {
    /// As a regular expression.
    public static final String PATTERN = "sha256:[0-9a-f]{64}";

    /// A larger file is not read only to say this.
    public static final long BYTES_MAX = 64L << 20;

    private static final long STEP_BYTES = 256 << 10;
    private static final String PREFIX = "sha256:";

    private ContentHash() {}

    static boolean isOne(String text) {
        return text.startsWith(PREFIX);
    }

    public static String of(byte[] bytes) {
        return PREFIX + Digests.sha256Hex(bytes);
    }

    /// Of what a digest has seen.
    public static String of(MessageDigest digest) {
        return PREFIX + HexFormat.of().formatHex(digest.digest());
    }

    /// @return empty for a file that is too large
    static Optional<String> of(FileContent content, CallerWorkers computing)
            throws IOException, InterruptedException {
        var size = content.file().size();
        if (size > BYTES_MAX) {
            return Optional.empty();
        }
        var digest = Digests.sha256();
        var to = new DigestOutputStream(OutputStream.nullOutputStream(), digest);
        var done = new AtomicLong();
        computing.runAll(() -> {
            var copied =
                    content.copyUncounted(done.get(), Math.min(STEP_BYTES, size - done.get()), to);
            return copied > 0 && done.addAndGet(copied) < size;
        });
        return Optional.of(of(digest));
    }
}
