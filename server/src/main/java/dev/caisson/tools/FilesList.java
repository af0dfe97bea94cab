package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.storage.FileService;
import dev.caisson.storage.VolumeAccess;
import java.util.List;
import java.util.Optional;

/// Tool that lists the files of a thread or a volume.
public final class FilesList {
    static final String NAME = "files_list";
    static final int LIMIT_MAX = 1_000;

    private final FileService desk;

    private FilesList(FileService desk) {
        this.desk = desk;
    }

    record Input(
            @Inline StorageAddress storage,
            @Describe("A directory; the root if absent.") @Length(max = FileAddress.PATH_LENGTH_MAX)
                    Optional<String> path,
            @DefaultsTo("false") boolean recursive,
            @Describe("next_cursor of the page before.") @Length(max = FileAddress.PATH_LENGTH_MAX)
                    Optional<String> cursor,
            @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("200") int limit) {
        FileAddress directory() {
            return new FileAddress(storage, path.orElse(""));
        }
    }

    record Output(
            List<FileItem> files,
            Optional<String> nextCursor,
            @Describe("False when there is more than the server looks at.") boolean complete) {}

    public static Tool tool(FileService desk) {
        return TypedTool.of(
                ToolSpec.named(
                                NAME,
                                "List files",
                                "Lists files of a thread or a volume. Its paths are what the other file"
                                        + " tools take; bytes that are no text are written as %FF.")
                        .hinted(Hints.READS)
                        .in(Toolset.FILES)
                        .within(Scope.FILES_READ),
                Input.class,
                Output.class,
                new FilesList(desk)::list);
    }

    private Answer<Output> list(Call call, Input input) throws InterruptedException {
        try (var files =
                desk.spaces().open(call.caller(), input.storage().space(), VolumeAccess.READ)) {
            var page =
                    files.list(
                            input.directory().path(desk),
                            input.recursive(),
                            input.cursor(),
                            input.limit());
            return Answer.of(
                    new Output(
                            page.files().stream().map(FileItem::of).toList(),
                            page.next(),
                            page.complete()));
        }
    }
}
