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
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Matches;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tool that writes a whole file. One that is there must have been read before.
public final class Write {
    /// In bytes, and so in characters at most.
    static final int CONTENT_MAX = 8 << 20;

    private final ThreadFiles threads;

    private Write(ThreadFiles threads) {
        this.threads = threads;
    }

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("From the root, or below /workspace.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    String filePath,
            @Length(max = CONTENT_MAX) String content,
            @Describe("Writes only over a file of this hash, or none: only a new one.")
                    @Matches(FileService.EXPECTED)
                    Optional<String> expectedHash) {}

    record Output(String threadId, String path, long bytes, String hash, boolean created) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                ToolSpec.named(
                                "write",
                                "Write a file",
                                "Writes a file of a thread, whole or not at all; makes"
                                        + " directories. Read one that is there first.")
                        .alsoCalled("Write")
                        .hinted(Hints.REPLACES)
                        .in(Toolset.DEV)
                        .within(Scope.FILES_WRITE),
                Input.class,
                Output.class,
                new Write(threads)::write);
    }

    private Answer<Output> write(Call call, Input input) throws InterruptedException {
        var thread = ThreadFiles.thread(input.threadId());
        var path = threads.path(input.filePath());
        var content = input.content().getBytes(StandardCharsets.UTF_8);
        if (content.length > CONTENT_MAX) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "content has more than 8 MiB. Write it in parts, or use a program.");
        }
        threads.files().uploads().count(call.caller(), content.length);
        try (var tree = threads.toMake(call.caller(), thread)) {
            var expected = expected(call, thread, tree, path, input.expectedHash());
            try (var draft = tree.rewrite(path, expected, path)) {
                draft.write(ByteBuffer.wrap(content));
                var stored = draft.commit();
                threads.mark(call.caller(), thread, path, stored.hash());
                threads.changed(
                        call.caller(), thread, List.of(path), List.of(FileEvent.of(stored)));
                var shown = AgentPath.shown(path);
                return Answer.of(
                        new Output(
                                thread, shown, content.length, stored.hash(), !stored.replaced()),
                        "wrote %d bytes to %s".formatted(content.length, shown));
            }
        }
    }

    /// What must be there when the file is replaced, which is what the caller has seen.
    private Expected expected(
            Call call, String thread, FileTree tree, FilePath path, Optional<String> expectedHash)
            throws InterruptedException {
        if (threads.target(tree, path).isEmpty()) {
            return expectedHash.isPresent()
                    ? FileService.expected(expectedHash)
                    : new Expected.Nothing();
        }
        if (expectedHash.isEmpty() && !threads.readBeforeWrite()) {
            return Expected.anything();
        }
        var hash = hash(tree, path);
        if (threads.changedSinceRead(
                call.caller(), thread, path, hash, expectedHash, "overwrite")) {
            throw new Refusal(
                    Reason.CHANGED,
                    "refusing to overwrite %s: it has changed since you read it. Read it again."
                            .formatted(AgentPath.shown(path)));
        }
        return new Expected.OneOf(Set.of(hash));
    }

    private static String hash(FileTree tree, FilePath path) throws InterruptedException {
        try (var content = tree.read(path)) {
            return tree.hash(content)
                    .orElseThrow(() ->
                            new Refusal(
                                    Reason.TOO_LARGE,
                                    AgentPath.shown(path)
                                            + " has more than 64 MiB: delete it first, or use a program."));
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }
}
