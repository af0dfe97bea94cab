package dev.caisson.linux;

/// Size of a file system in memory, a hard limit in bytes and in files. What is written to it is
/// charged to the memory limit of the writer.
///
/// @param owner the host's id of the user it belongs to
public record TmpfsSize(long bytes, long files, int owner) {
    public TmpfsSize {
        if (bytes <= 0 || files <= 0 || owner < 0) {
            throw new IllegalArgumentException("a size must be positive");
        }
    }
}
