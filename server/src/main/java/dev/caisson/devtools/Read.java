package dev.caisson.devtools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Content;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.edit.TextBytes;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Tool that reads lines of a file, or shows an image.
public final class Read {
    /// Larger files are not read.
    static final long FILE_BYTES_MAX = 64L << 20;

    static final int LIMIT_MAX = 10_000;
    private static final int STEP_BYTES = 256 << 10;
    private static final int MARK_BYTES = 16;

    private final ThreadFiles threads;

    private Read(ThreadFiles threads) {
        this.threads = threads;
    }

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("From the root, or below /workspace.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    String filePath,
            @Describe("First line, from 1.") @Range(min = 1, max = 1L << 40) @DefaultsTo("1")
                    long offset,
            @Describe("Lines.") @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("2000") int limit,
            @Describe("Without line numbers.") @DefaultsTo("false") boolean plain) {}

    /// @param lineEnding lf, crlf, mixed or none
    /// @param truncated whether there are lines behind those
    /// @param content only when plain
    record Output(
            String threadId,
            String path,
            Optional<Long> startLine,
            Optional<Long> endLine,
            Optional<Long> totalLines,
            long bytes,
            String hash,
            Optional<String> lineEnding,
            boolean truncated,
            Optional<String> content) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                        ToolSpec.named(
                                        "read",
                                        "Read a file",
                                        "Reads lines of a file of a thread, numbered; images (PNG, JPEG,"
                                                + " GIF, WebP) up to 4 MiB are shown.")
                                .alsoCalled("Read")
                                .hinted(Hints.READS)
                                .in(Toolset.DEV)
                                .within(Scope.FILES_READ),
                        Input.class,
                        Output.class,
                        new Read(threads)::read)
                .redactingItself();
    }

    private Answer<Output> read(Call call, Input input) throws InterruptedException {
        var thread = ThreadFiles.thread(input.threadId());
        var path = threads.path(input.filePath());
        try (var tree = threads.toRead(call.caller(), thread)) {
            threads.requireNoDirectory(tree, path);
            try (var content = open(tree, path)) {
                var image = image(call, content);
                return image.isPresent()
                        ? shown(call, thread, path, content, image.get())
                        : lines(call, thread, path, content, input);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }

    private static FileContent open(FileTree tree, FilePath path) {
        try {
            return tree.readInside(path);
        } catch (Refusal refused) {
            if (refused.reason() != Reason.NOT_FOUND) {
                throw refused;
            }
            throw tree.linkTarget(path)
                    .map(target ->
                            new Refusal(
                                    Reason.NOT_FOUND,
                                    "%s is a link to %s, which is not a file of this thread."
                                            .formatted(
                                                    AgentPath.shown(path),
                                                    TextBytes.shown(TextBytes.of(target)))))
                    .orElseGet(() -> ThreadFiles.absent(path));
        }
    }

    /// The whole of an image; empty for everything else.
    private Optional<Content.Image> image(Call call, FileContent content)
            throws IOException, InterruptedException {
        var start = new ByteArrayOutputStream();
        content.copy(0, MARK_BYTES, start);
        var format = ImageFormat.of(start.toByteArray());
        var bytes =
                format.isPresent()
                        ? content.atMost(ImageFormat.BYTES_MAX)
                        : Optional.<byte[]>empty();
        return bytes.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        threads.computing(call.caller())
                                .run(() ->
                                        new Content.Image(
                                                Base64.getEncoder().encodeToString(bytes.get()),
                                                format.get().mediaType())));
    }

    private Answer<Output> shown(
            Call call, String thread, FilePath path, FileContent content, Content.Image image)
            throws InterruptedException {
        var bytes = Base64.getDecoder().decode(image.data());
        var hash = threads.computing(call.caller()).run(() -> ContentHash.of(bytes));
        threads.mark(call.caller(), thread, path, hash);
        var output =
                new Output(
                        thread,
                        AgentPath.shown(path),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        content.file().size(),
                        hash,
                        Optional.empty(),
                        false,
                        Optional.empty());
        return Answer.of(output, List.of(image));
    }

    private Answer<Output> lines(
            Call call, String thread, FilePath path, FileContent content, Input input)
            throws InterruptedException {
        var window = window(call, path, content, input);
        long total = window.totalLines();
        if (input.offset() > Math.max(1, total)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "offset %d is past the end of %s: it has %d lines"
                            .formatted(input.offset(), AgentPath.shown(path), total));
        }
        var lines =
                threads.computing(call.caller())
                        .run(() -> window.lines(threads.redactor(call.caller())));
        var hash = ContentHash.of(window.digest());
        threads.mark(call.caller(), thread, path, hash);
        long end = input.offset() + lines.size() - 1;
        var output =
                new Output(
                        thread,
                        AgentPath.shown(path),
                        Optional.of(input.offset()),
                        Optional.of(end),
                        Optional.of(total),
                        window.bytes(),
                        hash,
                        Optional.of(window.lineEndings().word()),
                        end < total,
                        input.plain() ? Optional.of(String.join("\n", lines)) : Optional.empty());
        return Answer.of(output, text(input, lines, output));
    }

    private LineWindow window(Call call, FilePath path, FileContent content, Input input)
            throws InterruptedException {
        long size = content.file().size();
        if (size > FILE_BYTES_MAX) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "%s has %d MiB; read takes files up to 64 MiB. Use a program."
                            .formatted(AgentPath.shown(path), size >> 20));
        }
        var window = new LineWindow(input.offset(), input.limit());
        var done = new AtomicLong();
        try {
            threads.computing(call.caller())
                    .runAll(() -> {
                        long part =
                                content.copy(
                                        done.get(),
                                        Math.min(STEP_BYTES, size - done.get()),
                                        window);
                        return part > 0 && done.addAndGet(part) < size;
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
        window.end();
        if (window.nul() >= 0) {
            throw ThreadFiles.notText(path, window.nul());
        }
        return window;
    }

    private static String text(Input input, List<String> lines, Output output) {
        var text = new StringBuilder();
        long number = input.offset();
        for (var line : lines) {
            text.append(input.plain() ? "" : number + "\t").append(line).append('\n');
            number++;
        }
        if (output.truncated()) {
            text.append(
                    "(lines %d-%d of %d; continue with offset=%d)\n"
                            .formatted(
                                    input.offset(),
                                    number - 1,
                                    output.totalLines().orElse(0L),
                                    number));
        }
        return text.isEmpty() ? "(the file is empty)" : text.substring(0, text.length() - 1);
    }
}
