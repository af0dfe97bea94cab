package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.storage.Access;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Stores a file in a thread or a volume.
public final class FilesUpload implements Tool {
    static final String NAME = "files_upload";

    /// How long a content may be, in characters; a door may take less.
    static final int CONTENT_LENGTH_MAX = 32 << 20;

    private final FileDesk desk;
    private final ToolSpec spec;

    /// How the content is written down.
    enum Encoding {
        TEXT,
        BASE64
    }

    record Input(
            @Describe("What the file belongs to.") Source source,
            @Describe(
                            "The thread_id, or the name of the volume. A thread is made if there is none.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Describe("From the root of the storage; directories are made as needed.")
                    @Length(min = 1, max = FilesList.PATH_LENGTH_MAX)
                    String path,
            @Length(max = CONTENT_LENGTH_MAX) String content,
            @Describe("base64 for what is not text.") @DefaultsTo("text") Encoding encoding,
            @Describe(
                            "The hash the file had when you read it, or none if there must be no file"
                                    + " yet. Otherwise nothing is stored.")
                    @Matches(FileDesk.EXPECTED)
                    Optional<String> expectedHash) {}

    public FilesUpload(FileDesk desk) {
        this.desk = desk;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "Store a file",
                                "Stores a file in a thread or a volume, in the place of one of the"
                                        + " same path. It is there whole or not at all. Larger"
                                        + " files go over POST /v1/files/upload.",
                                SchemaOf.record(Input.class))
                        .returning(SchemaOf.result(FileItem.class))
                        .hinted(new ToolSpec.Hints(false, true, true, false))
                        .in(Toolset.FILES.word())
                        .within(Scope.FILES_WRITE);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public List<Tool> otherForms() {
        return List.of(new UploadFile(this));
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        var content = content(input);
        var space = new FileSpace(input.source(), input.id());
        var path = desk.spaces().readPath(() -> space.path(input.path()));
        try (var files = desk.spaces().open(call.caller(), space, Access.WRITE);
                var upload = files.upload(path, FileDesk.expected(input.expectedHash()))) {
            upload.write(ByteBuffer.wrap(content));
            var stored = upload.commit();
            desk.changed(call.caller(), space, List.of(path), () -> List.of(FileEvent.of(stored)));
            return ToolResult.structured(
                    Records.tree(FileItem.of(stored.file(), Optional.of(stored.hash()))));
        }
    }

    private static byte[] content(Input input) {
        return switch (input.encoding()) {
            case TEXT -> input.content().getBytes(StandardCharsets.UTF_8);
            case BASE64 -> decoded(input.content());
        };
    }

    private static byte[] decoded(String content) {
        try {
            return Base64.getDecoder().decode(content);
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "content is not base64: " + e.getMessage() + ".");
        }
    }
}
