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
import dev.caisson.json.Range;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import dev.caisson.storage.Access;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Source;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Lists the files of a thread or a volume.
public final class FilesList implements Tool {
    static final String NAME = "files_list";
    static final int LIMIT_MAX = 1_000;
    static final int PATH_LENGTH_MAX = 16_384;

    private final FileDesk desk;
    private final ToolSpec spec;

    record Input(
            @Describe("What the files belong to.") Source source,
            @Describe("The thread_id, or the name of the volume.")
                    @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    String id,
            @Describe("The directory, from the root of the storage; the root if absent.")
                    @Length(max = PATH_LENGTH_MAX)
                    Optional<String> path,
            @Describe("With everything below.") @DefaultsTo("false") boolean recursive,
            @Describe("The next_cursor of the page before.") @Length(max = PATH_LENGTH_MAX)
                    Optional<String> cursor,
            @Describe("How many at most.") @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("200")
                    int limit) {}

    record Output(
            List<FileItem> files,
            Optional<String> nextCursor,
            @Describe("False when there is more than the server looks at.") boolean complete) {}

    public FilesList(FileDesk desk) {
        this.desk = desk;
        this.spec =
                ToolSpec.of(
                                NAME,
                                "List files",
                                "Lists the files of a thread or a volume, in the order of their"
                                        + " paths. A path in the list can be given to"
                                        + " files_download and files_delete as it is; in it, bytes"
                                        + " that are no text are written as %FF.",
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
        try (var files = desk.spaces().open(call.caller(), space, Access.READ)) {
            var page =
                    files.list(
                            desk.spaces().readPath(() -> space.path(input.path().orElse(""))),
                            input.recursive(),
                            input.cursor(),
                            input.limit());
            return ToolResult.structured(
                    Records.tree(
                            new Output(
                                    page.files().stream().map(FileItem::of).toList(),
                                    page.next(),
                                    page.complete())));
        }
    }
}
