package dev.caisson.storage;

/// How much of a program's output is kept.
///
/// @param inlineBytes of each stream that are part of the answer
/// @param spoolBytes of each stream that can be read later; what a program writes beyond is counted
///   and thrown away
public record OutputLimits(int inlineBytes, long spoolBytes) {
    public static final OutputLimits DEFAULT = new OutputLimits(64 << 10, 64L << 20);

    /// What is read around a piece of output to recognise a secret that its border cuts.
    static final int WINDOW = 8 << 10;

    public OutputLimits {
        if (inlineBytes < 1024 || spoolBytes < inlineBytes) {
            throw new IllegalArgumentException(
                    "at least 1024 bytes are inline, and the spool keeps no fewer");
        }
    }
}
