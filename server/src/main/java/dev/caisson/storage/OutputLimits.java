package dev.caisson.storage;

import dev.caisson.sandbox.Sink.Stream;

/// How much of a program's output is kept.
///
/// @param stdoutInlineBytes of stdout that are part of the answer
/// @param stderrInlineBytes the same of stderr
/// @param spoolBytes of each stream that can be read later; what a program writes beyond is counted
///   and thrown away
/// @param dataBytes of a value that was handed over and can be read later; a longer one is not kept
public record OutputLimits(
        int stdoutInlineBytes, int stderrInlineBytes, long spoolBytes, long dataBytes) {
    public static final OutputLimits DEFAULT =
            new OutputLimits(64 << 10, 256 << 10, 64L << 20, 4L << 20);

    /// What is read around a piece of output to recognise a secret that its border cuts.
    static final int WINDOW = 8 << 10;

    private static final int INLINE_BYTES_MIN = 1024;

    public OutputLimits {
        if (stdoutInlineBytes < INLINE_BYTES_MIN
                || stderrInlineBytes < INLINE_BYTES_MIN
                || spoolBytes < Math.max(stdoutInlineBytes, stderrInlineBytes)) {
            throw new IllegalArgumentException(
                    "at least 1024 bytes are inline, and the spool keeps no fewer");
        }
    }

    /// What the answer may have of a stream, in bytes of UTF-8.
    public int inlineBytes(Stream stream) {
        return switch (stream) {
            case STDOUT -> stdoutInlineBytes;
            case STDERR -> stderrInlineBytes;
        };
    }
}
