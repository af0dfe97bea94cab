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
import dev.caisson.json.Matches;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileService;
import java.util.List;
import java.util.Optional;

/// Tool that deletes a file or a directory of a thread or a volume.
public final class FilesDelete {
    private final FileService desk;

    private FilesDelete(FileService desk) {
        this.desk = desk;
    }

    record Input(
            @Inline FileAddress file,
            @Describe("Also a directory with all in it.") @DefaultsTo("false") boolean recursive,
            @Describe("Deletes only a file of this hash.") @Matches("^" + ContentHash.PATTERN + "$")
                    Optional<String> expectedHash) {}

    record Output(long deleted) {}

    public static Tool tool(FileService desk) {
        return TypedTool.of(
                ToolSpec.named(
                                "files_delete",
                                "Delete a file",
                                "Deletes a file or directory of a thread or a volume for good.")
                        .narrowing(
                                schema -> Descriptions.property(schema, "path").remove("minLength"))
                        .unlisted("expected_hash")
                        .hinted(Hints.REPLACES)
                        .in(Toolset.FILES)
                        .within(Scope.FILES_WRITE),
                Input.class,
                Output.class,
                new FilesDelete(desk)::delete);
    }

    private Answer<Output> delete(Call call, Input input) throws InterruptedException {
        var space = input.file().space();
        var path = input.file().path(desk);
        try (var files = desk.spaces().openKept(call.caller(), space)) {
            var deleted =
                    files.delete(
                            path, input.recursive(), FileService.expected(input.expectedHash()));
            desk.changed(
                    call.caller(), space, List.of(path), () -> List.of(FileEvent.removed(path)));
            return Answer.of(new Output(deleted));
        }
    }
}
