package dev.caisson.storage;

/// A thread or a volume, by the name its caller has for it.
public record FileSpace(Source source, String id) {
    public static FileSpace thread(String id) {
        return new FileSpace(Source.THREAD, id);
    }

    public static FileSpace volume(String name) {
        return new FileSpace(Source.VOLUME, name);
    }

    /// Reads a path of a caller's, see [FilePath#parse].
    public FilePath path(String given) {
        return FilePath.parse(given, seenAt());
    }

    /// Where programs see it.
    private String seenAt() {
        return switch (source) {
            case THREAD -> "/workspace";
            case VOLUME -> "/volumes/" + id;
        };
    }
}
