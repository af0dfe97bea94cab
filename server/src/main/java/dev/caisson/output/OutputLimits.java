package dev.caisson.output;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import dev.caisson.sandbox.Sink.Stream;

/// Limits of the output of one run: how much of it is answered and how much is kept.
///
/// @param stdoutInlineBytes of stdout that are part of the answer
/// @param stderrInlineBytes the same of stderr
/// @param answerBytes of both streams together that are part of what a tool answers
/// @param spoolBytes of each stream that can be read later; what a program writes beyond is counted
///   and thrown away
/// @param dataBytes of a value that was handed over and can be read later; a longer one is not kept
public record OutputLimits(
        @Key(
                        name = "sandbox.stdout_inline_bytes",
                        initial = "64KiB",
                        min = "1KiB",
                        max = "16MiB",
                        doc =
                                "How much of stdout is in an answer of REST itself, with the line that"
                                        + " says what is left out.")
                int stdoutInlineBytes,
        @Key(
                        name = "sandbox.stderr_inline_bytes",
                        initial = "256KiB",
                        min = "1KiB",
                        max = "16MiB",
                        doc = "The same of stderr.")
                int stderrInlineBytes,
        @Key(
                        name = "sandbox.answer_inline_bytes",
                        initial = "16KiB",
                        min = "2KiB",
                        max = "16MiB",
                        doc =
                                "How much of stdout and stderr together is in what a tool answers, which"
                                        + " a model reads: the beginning and the end of each.")
                int answerBytes,
        @Key(
                        name = "sandbox.output_spool_bytes",
                        initial = "64MiB",
                        min = "64KiB",
                        max = "1TiB",
                        doc = "How much of each stream is kept to be read later.")
                long spoolBytes,
        @Key(
                        name = "sandbox.data_spool_bytes",
                        initial = "4MiB",
                        min = "64KiB",
                        max = "64MiB",
                        doc =
                                "The longest value handed over that is kept to be read later, as JSON;"
                                        + " up to 64 KiB are in the answer itself.")
                long dataBytes) {
    public static final OutputLimits DEFAULT = Defaults.of(OutputLimits.class);

    /// What is read around a piece of output to recognise a secret that its border cuts.
    static final int WINDOW = 8 << 10;

    private static final int INLINE_BYTES_MIN = 1024;

    public OutputLimits {
        if (stdoutInlineBytes < INLINE_BYTES_MIN || stderrInlineBytes < INLINE_BYTES_MIN) {
            throw new IllegalArgumentException("at least 1024 bytes are inline");
        }
        if (answerBytes < 2 * INLINE_BYTES_MIN) {
            throw new IllegalArgumentException("at least 2048 bytes are in an answer");
        }
        requireWithin(spoolBytes, stdoutInlineBytes, "sandbox.stdout_inline_bytes");
        requireWithin(spoolBytes, stderrInlineBytes, "sandbox.stderr_inline_bytes");
    }

    private static void requireWithin(long spoolBytes, long bytes, String key) {
        if (bytes > spoolBytes) {
            throw new Contradiction(
                    key,
                    "is more than sandbox.output_spool_bytes",
                    "Lower it, or raise sandbox.output_spool_bytes.");
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
