package dev.caisson.devtools;

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
import dev.caisson.edit.FilePatch;
import dev.caisson.edit.PatchSyntax;
import dev.caisson.edit.PatchText;
import dev.caisson.edit.TextBytes;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;

/// Tool that changes several files: all of them, or none.
public final class Patch {
    /// In characters.
    static final int TEXT_MAX = 8 << 20;

    /// Replacements of one call.
    static final int EDITS_MAX = 200;

    private static final Hints HINTS = new Hints(false, true, false, false);

    private final ThreadFiles threads;

    private Patch(ThreadFiles threads) {
        this.threads = threads;
    }

    /// Replacement in one file.
    record One(
            @Describe("From the root, or below /workspace.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    String filePath,
            @Describe("Stands once in the file, unless replace_all.")
                    @Length(min = 1, max = Edit.TEXT_MAX)
                    String oldString,
            @Length(max = Edit.TEXT_MAX) String newString,
            @DefaultsTo("false") boolean replaceAll) {}

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("From *** Begin Patch to *** End Patch, or a unified diff.")
                    @Length(min = 1, max = TEXT_MAX)
                    Optional<String> patch,
            @Describe("Instead of patch: replacements, in order.") @Length(min = 1, max = EDITS_MAX)
                    Optional<List<One>> edits) {}

    record Output(String threadId, List<PatchReport.Item> files) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                ToolSpec.named(
                                "patch",
                                "Patch files",
                                "Changes several files of a thread, all or none: adds, updates,"
                                        + " moves, deletes. Read files first that it changes.")
                        .alsoCalled("apply_patch")
                        .hinted(HINTS)
                        .in(Toolset.DEV)
                        .within(Scope.FILES_WRITE),
                Input.class,
                Output.class,
                new Patch(threads)::patch);
    }

    private Answer<Output> patch(Call call, Input input) throws InterruptedException {
        var thread = ThreadFiles.thread(input.threadId());
        if (input.patch().isPresent() == input.edits().isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "Pass one of patch and edits, and not both.");
        }
        var parts =
                input.patch().isPresent() ? parse(call, input.patch().get()) : List.<FilePatch>of();
        try (var tree = open(call, thread, input, parts)) {
            var files = new PatchedFiles(threads, call, thread, tree);
            var work = new PatchWork(threads, call, files);
            if (input.edits().isPresent()) {
                work.replaceAll(input.edits().get());
            } else {
                work.applyAll(parts);
            }
            var report = PatchReport.of(files.write());
            report.remember(threads, call, thread);
            return Answer.of(new Output(thread, report.items()), report.text());
        }
    }

    private List<FilePatch> parse(Call call, String text) throws InterruptedException {
        try {
            return threads.computing(call.caller())
                    .run(() -> PatchText.parse(TextBytes.ofCaller(text)));
        } catch (PatchSyntax wrong) {
            throw new Refusal(Reason.INVALID_ARGUMENT, wrong.sentence());
        }
    }

    /// A patch that only adds files makes the thread when there is none.
    private FileTree open(Call call, String thread, Input input, List<FilePatch> parts) {
        boolean adds =
                input.edits().isEmpty() && parts.stream().allMatch(FilePatch.Add.class::isInstance);
        return adds
                ? threads.toMake(call.caller(), thread)
                : threads.toChange(call.caller(), thread);
    }
}
