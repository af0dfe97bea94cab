package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Named;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import java.util.Optional;

/// Form of the tool [FilesUpload] for clients that know conversations: one file, in base64.
final class UploadFile {
    private UploadFile() {}

    record Input(
            @Named("conversationId")
                    @Describe("Names the workspace, which is made if there is none.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String conversationId,
            @Describe("From the root of the workspace; directories are made as needed.")
                    @Length(min = 1, max = FileAddress.PATH_LENGTH_MAX)
                    String filename,
            @Describe("In base64.") @Length(max = FilesUpload.CONTENT_LENGTH_MAX) String content) {
        FilesUpload.Input asUpload() {
            return new FilesUpload.Input(
                    new FileAddress(new StorageAddress(Source.THREAD, conversationId), filename),
                    content,
                    FilesUpload.Encoding.BASE64,
                    Optional.empty());
        }
    }

    static Tool tool(FilesUpload upload) {
        return TypedTool.of(
                ToolSpec.named(
                                "upload_file",
                                "Store a file in a conversation",
                                "Stores a file in the conversation's workspace.")
                        .hinted(Hints.REPLACES),
                Input.class,
                FileItem.class,
                (call, input) -> upload.store(call, input.asUpload()));
    }
}
