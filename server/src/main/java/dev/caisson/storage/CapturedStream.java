package dev.caisson.storage;

/// What is known about one stream of a run once it is over.
///
/// @param bytes the program wrote
/// @param text all of it, or its beginning and its end with a line between them that says how much
///   is left out
/// @param omittedBytes left out of the text
/// @param storedBytes readable later; fewer than were written when the limit of the spool was
///   reached
/// @param faithful false when something was not UTF-8 and was replaced
public record CapturedStream(
        long bytes, String text, long omittedBytes, long storedBytes, boolean faithful) {
    public boolean truncated() {
        return omittedBytes > 0;
    }
}
