package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Content;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.storage.Access;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Hands out a file of a thread or a volume: text as text, an image as an image, and for everything
/// else the way to fetch it.
public final class FilesDownload implements Tool {
    static final String NAME = "files_download";
    static final int BYTES_MAX = 1 << 20;

    private final FileDesk desk;
    private final ToolSpec spec;

    record Input(
            @Describe("What the file belongs to.") Source source,
            @Describe("The thread_id, or the name of the volume.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Describe("From the root of the storage, as files_list has it.")
                    @Length(min = 1, max = FilesList.PATH_LENGTH_MAX)
                    String path) {}

    /// @param url absent where the server does not listen
    /// @param redactions is counted when they are taken out, on the way to the caller
    record Output(
            FileItem file,
            @Describe("Whether the content is in this answer.") boolean inline,
            @Describe("Fetches the file without a key until it expires; null over stdio.")
                    Optional<String> url,
            @Describe("Secrets that were taken out of this answer.") long redactions) {}

    public FilesDownload(FileDesk desk) {
        this.desk = desk;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "Download a file",
                                "Returns a file of a thread or a volume: text as it is, PNG, JPEG,"
                                        + " GIF and WebP as an image. A file over 1 MiB, or another"
                                        + " binary one, is not returned. url, except over stdio,"
                                        + " fetches the file without a key for "
                                        + Words.duration(desk.links().life())
                                        + ".",
                                SchemaOf.record(Input.class))
                        .returning(SchemaOf.result(Output.class))
                        .hinted(new ToolSpec.Hints(true, false, true, false))
                        .in(Toolset.FILES.word())
                        .within(Scope.FILES_READ);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        var space = new FileSpace(input.source(), input.id());
        var path = desk.spaces().readPath(() -> space.path(input.path()));
        try (var files = desk.spaces().open(call.caller(), space, Access.READ);
                var content = files.read(path)) {
            var url = desk.url(call.caller(), space, path);
            var item = FileItem.of(content.file(), files.hash(content));
            return shown(content)
                    .map(shown -> inline(item, shown, url))
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

    private static ToolResult inline(FileItem file, Content shown, Optional<String> url) {
        return new ToolResult(
                List.of(shown), Optional.of(Records.tree(new Output(file, true, url, 0))), false);
    }

    private static ToolResult elsewhere(
            FileSpace space, StoredFile file, FileItem item, Optional<String> url) {
        var why = file.size() > BYTES_MAX ? "is larger than 1 MiB" : "is neither text nor an image";
        var content = new ArrayList<Content>();
        content.add(
                Content.text(
                        "%s (%s) %s and is not returned here. Fetch it over the REST API: POST /v1/files/download%s."
                                .formatted(
                                        file.path(),
                                        Words.bytes(file.size()),
                                        why,
                                        url.map(link -> ", or at once: " + link).orElse(""))));
        content.add(
                new Content.Link(
                        url.orElseGet(() -> FileUris.of(space, file.path())),
                        file.path().name(),
                        Optional.empty(),
                        file.mediaType(),
                        Optional.of(file.size())));
        return new ToolResult(
                content, Optional.of(Records.tree(new Output(item, false, url, 0))), true);
    }
}
