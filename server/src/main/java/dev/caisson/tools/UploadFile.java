package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.storage.Threads;
import tools.jackson.databind.node.ObjectNode;

/// The form of [FilesUpload] for clients that know conversations: one file, in base64.
final class UploadFile implements Tool {
    private final FilesUpload tool;
    private final ToolSpec spec;

    record Input(
            @Named("conversationId")
                    @Describe("Names the workspace, which is made if there is none.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String conversationId,
            @Describe("From the root of the workspace; directories are made as needed.")
                    @Length(min = 1, max = FilesList.PATH_LENGTH_MAX)
                    String filename,
            @Describe("In base64.") @Length(max = FilesUpload.CONTENT_LENGTH_MAX) String content) {}

    UploadFile(FilesUpload tool) {
        this.tool = tool;
        var own = tool.spec();
        this.spec =
                ToolSpec.of(
                                "upload_file",
                                "Store a file in a conversation",
                                "Stores a file in the conversation's workspace.",
                                SchemaOf.record(Input.class))
                        .returning(own.outputSchema().orElseThrow())
                        .hinted(own.hints());
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var input = Records.read(arguments, Input.class);
        return tool.call(
                call,
                Json.object()
                        .put("source", "thread")
                        .put("id", input.conversationId())
                        .put("path", input.filename())
                        .put("content", input.content())
                        .put("encoding", "base64"));
    }
}
