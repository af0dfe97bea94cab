package dev.caisson.linux;

/// A file system in memory, hard-limited both ways. What is written to it is charged to the memory
/// limit of the writer.
///
/// @param owner the host's id of the user it belongs to
public record TmpfsSize(long bytes, long files, int owner) {
    public TmpfsSize {
        if (bytes <= 0 || files <= 0 || owner < 0) {
            throw new IllegalArgumentException("a size must be positive");
        }
    }
}
