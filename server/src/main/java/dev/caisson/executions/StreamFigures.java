package dev.caisson.executions;

/// Figures of one output stream of a run.
///
/// @param bytes that the program wrote
/// @param storedBytes that are kept
/// @param truncated whether the answer left some out
public record StreamFigures(long bytes, long storedBytes, boolean truncated) {
    public static final StreamFigures NOTHING = new StreamFigures(0, 0, false);
}
