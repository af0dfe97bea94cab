package dev.caisson.storage;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// Format of an archive: tar or zip.
public enum ArchiveFormat {
    ZIP("zip", "application/zip"),
    TAR_ZST("tar.zst", "application/zstd"),
    TAR_GZ("tar.gz", "application/gzip");

    private final String word;
    private final String mediaType;

    ArchiveFormat(String word, String mediaType) {
        this.word = word;
        this.mediaType = mediaType;
    }

    /// Also how names of such files end.
    public String word() {
        return word;
    }

    public String mediaType() {
        return mediaType;
    }

    /// All of them, such as `zip, tar.zst or tar.gz`.
    public static String words() {
        return Arrays.stream(values())
                .map(ArchiveFormat::word)
                .collect(Collectors.joining(", "))
                .replaceFirst(", ([^,]+)$", " or $1");
    }

    public static Optional<ArchiveFormat> of(String word) {
        return Arrays.stream(values()).filter(format -> format.word.equals(word)).findFirst();
    }
}
