package dev.caisson.devtools;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/// Formats of images that are shown as such, recognised by what is in a file.
enum ImageFormat {
    PNG("image/png", 0, "\u0089PNG\r\n\u001a\n"),
    JPEG("image/jpeg", 0, "\u00ff\u00d8\u00ff"),
    GIF("image/gif", 0, "GIF8"),
    WEBP("image/webp", 8, "WEBP");

    /// Larger ones are not shown.
    static final int BYTES_MAX = 4 << 20;

    private final String mediaType;
    private final int offset;
    private final String mark;

    ImageFormat(String mediaType, int offset, String mark) {
        this.mediaType = mediaType;
        this.offset = offset;
        this.mark = mark;
    }

    String mediaType() {
        return mediaType;
    }

    /// @param start the first bytes of a file
    static Optional<ImageFormat> of(byte[] start) {
        var text = new String(start, StandardCharsets.ISO_8859_1);
        return Arrays.stream(values())
                .filter(format -> text.startsWith(format.mark, format.offset))
                .findFirst();
    }
}
