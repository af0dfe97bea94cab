package dev.caisson.devtools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.edit.Grade;
import dev.caisson.edit.Replacement;
import dev.caisson.edit.TextBytes;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Threads;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tool that replaces a text in a file by another.
public final class Edit {
    static final int TEXT_MAX = 1 << 20;

    private final ThreadFiles threads;

    private Edit(ThreadFiles threads) {
        this.threads = threads;
    }

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("From the root, or below /workspace.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    String filePath,
            @Describe("Stands once in the file, unless replace_all.")
                    @Length(min = 1, max = TEXT_MAX)
                    String oldString,
            @Length(max = TEXT_MAX) String newString,
            @DefaultsTo("false") boolean replaceAll,
            @Describe("Edits only a file of this hash.") @Matches("^" + ContentHash.PATTERN + "$")
                    Optional<String> expectedHash) {}

    /// @param matchedWith what was passed over to find the text
    /// @param changedSinceRead whether the file was not what the caller saw last
    /// @param alreadyApplied whether there was nothing to do
    record Output(
            String threadId,
            String path,
            int replacements,
            String hash,
            Optional<Integer> firstLine,
            Grade matchedWith,
            boolean changedSinceRead,
            Optional<Boolean> alreadyApplied) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                ToolSpec.named(
                                "edit",
                                "Edit a file",
                                "Replaces a text in a file of a thread by another. Read the file first;"
                                        + " line endings, BOM and permissions stay.")
                        .alsoCalled("Edit")
                        .in(Toolset.DEV)
                        .within(Scope.FILES_WRITE),
                Input.class,
                Output.class,
                new Edit(threads)::edit);
    }

    private Answer<Output> edit(Call call, Input input) throws InterruptedException {
        var thread = ThreadFiles.thread(input.threadId());
        var path = threads.path(input.filePath());
        if (input.oldString().equals(input.newString())) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "old_string and new_string are the same: nothing to do");
        }
        ThreadFiles.requireNothingRedacted(input.oldString());
        try (var tree = threads.toChange(call.caller(), thread)) {
            var loaded = threads.load(call.caller(), tree, path);
            boolean changed =
                    threads.changedSinceRead(
                            call.caller(),
                            thread,
                            path,
                            loaded.hash(),
                            input.expectedHash(),
                            "edit");
            var shown = AgentPath.shown(path);
            var redactor = threads.redactor(call.caller());
            var replacement =
                    threads.computing(call.caller())
                            .run(() ->
                                    Replacement.of(
                                            shown,
                                            loaded.text(),
                                            TextBytes.ofCaller(input.oldString()),
                                            TextBytes.ofCaller(input.newString()),
                                            input.replaceAll(),
                                            redactor::text));
            return switch (replacement) {
                case Replacement.Impossible(var sentence) ->
                        throw new Refusal(Reason.INVALID_ARGUMENT, said(call, sentence));
                case Replacement.AlreadyThere() -> already(thread, path, loaded, changed);
                case Replacement.Done done -> {
                    var hash = store(call, thread, tree, path, loaded, done);
                    yield answer(thread, shown, hash, done, changed);
                }
            };
        }
    }

    /// The sentence may show a line of the file.
    private String said(Call call, String sentence) {
        return threads.redactor(call.caller()).text(sentence);
    }

    private Answer<Output> already(
            String thread, FilePath path, ThreadFiles.Loaded loaded, boolean changed) {
        var shown = AgentPath.shown(path);
        return Answer.of(
                new Output(
                        thread,
                        shown,
                        0,
                        loaded.hash(),
                        Optional.empty(),
                        Grade.EXACT,
                        changed,
                        Optional.of(true)),
                shown + " already has new_string and no old_string: nothing to do");
    }

    private String store(
            Call call,
            String thread,
            FileTree tree,
            FilePath path,
            ThreadFiles.Loaded loaded,
            Replacement.Done done)
            throws InterruptedException {
        var bytes = TextBytes.bytes(done.text());
        threads.files().uploads().count(call.caller(), bytes.length);
        var expected = new Expected.OneOf(Set.of(loaded.hash()));
        try (var draft = tree.rewrite(path, expected, path)) {
            draft.write(ByteBuffer.wrap(bytes));
            var stored = draft.commit();
            threads.mark(call.caller(), thread, path, stored.hash());
            threads.changed(call.caller(), thread, List.of(path), List.of(FileEvent.of(stored)));
            return stored.hash();
        }
    }

    private static Answer<Output> answer(
            String thread, String path, String hash, Replacement.Done done, boolean changed) {
        var text =
                new StringBuilder("replaced %d occurrence(s) in %s".formatted(done.count(), path));
        if (done.grade() != Grade.EXACT) {
            text.append("\nnote: matched with ").append(done.grade().word());
        }
        if (changed) {
            text.append("\nnote: ").append(path).append(" had changed since you read it");
        }
        return Answer.of(
                new Output(
                        thread,
                        path,
                        done.count(),
                        hash,
                        Optional.of(done.firstLine()),
                        done.grade(),
                        changed,
                        Optional.empty()),
                text.toString());
    }
}
