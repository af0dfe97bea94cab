package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileService;
import dev.caisson.storage.VolumeAccess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Tool that stores a file in a thread or a volume.
public final class FilesUpload {
    /// How long a content may be, in characters; a door may take less.
    static final int CONTENT_LENGTH_MAX = 32 << 20;

    private final FileService desk;

    private FilesUpload(FileService desk) {
        this.desk = desk;
    }

    /// How the content is written down.
    enum Encoding {
        TEXT,
        BASE64
    }

    record Input(
            @Inline FileAddress file,
            @Describe("Up to 32 MiB; larger files go over REST, POST /v1/files/upload.")
                    @Length(max = CONTENT_LENGTH_MAX)
                    String content,
            @Describe("base64 for what is not text.") @DefaultsTo("text") Encoding encoding,
            @Describe("Stores only over a file of this hash, or none: only a new one.")
                    @Matches(FileService.EXPECTED)
                    Optional<String> expectedHash) {}

    public static Tool tool(FileService desk) {
        var upload = new FilesUpload(desk);
        return TypedTool.of(
                        ToolSpec.named(
                                        "files_upload",
                                        "Store a file",
                                        "Stores a file in a thread or a volume, whole or not at all, in"
                                                + " place of one of the same path. Makes the thread"
                                                + " and directories.")
                                .unlisted("expected_hash")
                                .hinted(Hints.REPLACES)
                                .in(Toolset.FILES)
                                .within(Scope.FILES_WRITE),
                        Input.class,
                        FileItem.class,
                        upload::store)
                .alsoAs(UploadFile.tool(upload));
    }

    Answer<FileItem> store(Call call, Input input) throws InterruptedException {
        var content = content(input);
        var space = input.file().space();
        var path = input.file().path(desk);
        desk.uploads().count(call.caller(), content.length);
        try (var files = desk.spaces().open(call.caller(), space, VolumeAccess.WRITE);
                var upload = files.upload(path, FileService.expected(input.expectedHash()))) {
            upload.write(ByteBuffer.wrap(content));
            var stored = upload.commit();
            desk.changed(call.caller(), space, List.of(path), () -> List.of(FileEvent.of(stored)));
            return Answer.of(FileItem.of(stored.file(), Optional.of(stored.hash())));
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
