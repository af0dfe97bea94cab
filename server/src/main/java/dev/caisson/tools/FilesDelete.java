package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Deletes a file or a directory of a thread or a volume.
public final class FilesDelete implements Tool {
    static final String NAME = "files_delete";

    private final FileDesk desk;
    private final ToolSpec spec;

    record Input(
            @Describe("What the file belongs to.") Source source,
            @Describe("The thread_id, or the name of the volume.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Describe("From the root of the storage.") @Length(max = FilesList.PATH_LENGTH_MAX)
                    String path,
            @Describe("Deletes a directory with everything in it.") @DefaultsTo("false")
                    boolean recursive,
            @Describe("The hash the file had when you read it. Otherwise nothing is deleted.")
                    @Matches("^" + ContentHash.PATTERN + "$")
                    Optional<String> expectedHash) {}

    record Output(@Describe("How many files and directories are gone.") long deleted) {}

    public FilesDelete(FileDesk desk) {
        this.desk = desk;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "Delete a file",
                                "Deletes a file, or with recursive a directory and everything in it,"
                                        + " of a thread or a volume. It cannot be undone.",
                                SchemaOf.record(Input.class))
                        .returning(SchemaOf.result(Output.class))
                        .hinted(new ToolSpec.Hints(false, true, true, false))
                        .in(Toolset.FILES.word())
                        .within(Scope.FILES_WRITE);
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
        try (var files = desk.spaces().openKept(call.caller(), space)) {
            var deleted =
                    files.delete(path, input.recursive(), FileDesk.expected(input.expectedHash()));
            desk.changed(
                    call.caller(), space, List.of(path), () -> List.of(FileEvent.removed(path)));
            return ToolResult.structured(Records.tree(new Output(deleted)));
        }
    }
}
