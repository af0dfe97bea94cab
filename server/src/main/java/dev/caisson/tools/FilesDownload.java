package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.runs.Picture;
import dev.caisson.runs.PlainText;
import dev.caisson.runs.Quantities;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.FileUris;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.VolumeAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tool that reads a file of a thread or a volume: text as text, an image as an image, and for
/// everything else the way to fetch it.
public final class FilesDownload {
    static final int BYTES_MAX = 1 << 20;

    private final FileService desk;

    private FilesDownload(FileService desk) {
        this.desk = desk;
    }

    record Input(@Inline FileAddress file) {}

    /// @param url absent where the server does not listen
    /// @param redactions is counted when they are taken out, on the way to the caller
    record Output(
            FileItem file,
            @Describe("Whether the content is in this answer.") boolean inline,
            Optional<String> url,
            @Describe("Secrets taken out.") long redactions) {}

    public static Tool tool(FileService desk) {
        return TypedTool.of(
                ToolSpec.named("files_download", "Download a file", description(desk))
                        .hinted(Hints.READS)
                        .in(Toolset.FILES)
                        .within(Scope.FILES_READ),
                Input.class,
                Output.class,
                new FilesDownload(desk)::download);
    }

    private static String description(FileService desk) {
        return "Returns a file of a thread or a volume: text, or an image (PNG, JPEG, GIF, WebP), up"
                + " to 1 MiB; and url, a link to any file that works without a key for "
                + Quantities.duration(desk.links().life())
                + ", except over stdio.";
    }

    private Answer<Output> download(Call call, Input input) throws InterruptedException {
        var space = input.file().space();
        var path = input.file().path(desk);
        try (var files = desk.spaces().open(call.caller(), space, VolumeAccess.READ);
                var content = files.read(path)) {
            var url = desk.url(call.caller(), space, path);
            var item = FileItem.of(content.file(), files.hash(content));
            return shown(content)
                    .map(shown -> Answer.of(new Output(item, true, url, 0), List.of(shown)))
                    .orElseGet(() -> elsewhere(space, content.file(), item, url));
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }

    private static Optional<Content> shown(FileContent content) throws IOException {
        var mediaType = content.file().mediaType().orElse("");
        return content.atMost(BYTES_MAX)
                .flatMap(bytes ->
                        Picture.of(mediaType, bytes)
                                .filter(picture -> !mediaType.equals(Picture.SVG))
                                .map(Picture::content)
                                .or(() -> PlainText.of(bytes).map(Content::text)));
    }

    private static Answer<Output> elsewhere(
            FileSpace space, StoredFile file, FileItem item, Optional<String> url) {
        var why = file.size() > BYTES_MAX ? "is larger than 1 MiB" : "is neither text nor an image";
        var content = new ArrayList<Content>();
        content.add(
                Content.text(
                        "%s (%s) %s and is not returned here. Fetch it over the REST API: POST /v1/files/download%s."
                                .formatted(
                                        file.path(),
                                        Quantities.bytes(file.size()),
                                        why,
                                        url.map(link -> ", or at once: " + link).orElse(""))));
        content.add(
                new Content.Link(
                        url.orElseGet(() -> FileUris.of(space, file.path())),
                        file.path().name(),
                        Optional.empty(),
                        file.mediaType(),
                        Optional.of(file.size())));
        return Answer.of(new Output(item, false, url, 0), content).failed(true);
    }
}
