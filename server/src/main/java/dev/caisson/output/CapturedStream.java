package dev.caisson.output;

/// Captured output stream of a run that is over.
///
/// @param bytes the program wrote
/// @param text all of it, or its beginning and its end with a line between them that says how much
///   is left out
/// @param omittedBytes left out of the text
/// @param storedBytes readable later; fewer than were written when the limit of the spool was
///   reached
/// @param faithful false when something was not UTF-8 and was replaced
/// @param excerpt what a tool answers of it, which is no longer than the text
public record CapturedStream(
        long bytes,
        String text,
        long omittedBytes,
        long storedBytes,
        boolean faithful,
        Excerpt excerpt) {
    /// Part of a stream, in the form of its text.
    public record Excerpt(String text, long omittedBytes) {}

    public boolean truncated() {
        return omittedBytes > 0;
    }
}
