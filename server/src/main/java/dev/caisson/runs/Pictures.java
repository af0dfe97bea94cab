package dev.caisson.runs;

import dev.caisson.redact.Redactor;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.storage.WorkspaceFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Selection of the images a run made, so that a plot is seen at once, within a budget.
public final class Pictures {
    /// An image that is larger stays a file.
    public static final int BYTES_MAX = 1 << 20;

    /// An SVG is carried as text, which costs a reader more.
    static final int SVG_BYTES_MAX = 64 << 10;

    /// All images of one answer together.
    static final int TOTAL_BYTES_MAX = 3 << 20;

    static final int COUNT_MAX = 8;

    private Pictures() {}

    static List<Picture> pick(
            WorkspaceFiles files, Path root, List<WorkspaceFile> changed, Redactor redactor) {
        var picked = new ArrayList<Picture>();
        var left = TOTAL_BYTES_MAX;
        for (var file : changed) {
            var bytesMax = file.mimeType().equals(Picture.SVG) ? SVG_BYTES_MAX : BYTES_MAX;
            var fits = file.size() <= Math.min(left, bytesMax);
            if (!file.mimeType().startsWith("image/") || !fits || picked.size() == COUNT_MAX) {
                continue;
            }
            var picture =
                    files.read(root, file, bytesMax)
                            .flatMap(bytes -> Picture.of(file.mimeType(), bytes))
                            .map(found -> redacted(found, redactor));
            if (picture.isPresent()) {
                picked.add(picture.get());
                left -= picture.get().bytes().length;
            }
        }
        return picked;
    }

    private static Picture redacted(Picture picture, Redactor redactor) {
        if (!picture.mimeType().equals(Picture.SVG)) {
            return picture;
        }
        var text = redactor.text(new String(picture.bytes(), StandardCharsets.UTF_8));
        return new Picture(Picture.SVG, text.getBytes(StandardCharsets.UTF_8));
    }
}
