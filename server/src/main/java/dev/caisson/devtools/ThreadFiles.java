package dev.caisson.devtools;

import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.edit.Replacement;
import dev.caisson.edit.TextBytes;
import dev.caisson.redact.Redaction;
import dev.caisson.redact.Redactor;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.VolumeAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Files of threads for the tools of a coding agent, and what all of these tools have in common.
///
/// @param secrets what is secret in the programs of a caller's profile
/// @param readBeforeWrite whether a file must have been read before it is changed
public record ThreadFiles(
        FileService files,
        ReadMarks marks,
        Redaction redaction,
        Function<Caller, Set<String>> secrets,
        Workers workers,
        boolean readBeforeWrite) {
    /// The thread of who names none.
    static final String DEFAULT_THREAD = "default";

    /// `edit` and `patch` take files up to this size.
    static final int EDIT_BYTES_MAX = Replacement.BYTES_MAX;

    private static final int NAMES_SHOWN = 12;
    private static final long MIB = 1 << 20;

    /// How a secret that was taken out looks like.
    static final String REDACTED = "[REDACTED:";

    /// A file that was loaded whole.
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Loaded(byte[] bytes, String hash) {
        String text() {
            return TextBytes.of(bytes);
        }
    }

    static String thread(Optional<String> given) {
        var thread = given.orElse(DEFAULT_THREAD);
        if (thread.indexOf('\0') >= 0) {
            throw new Refusal(Reason.INVALID_ARGUMENT, "thread_id must not hold a NUL.");
        }
        return thread;
    }

    FilePath path(String given) {
        return files.spaces().readPath(() -> AgentPath.parse(given));
    }

    FileTree toRead(Caller caller, String thread) {
        return files.spaces().open(caller, FileSpace.thread(thread), VolumeAccess.READ);
    }

    FileTree toChange(Caller caller, String thread) {
        return files.spaces().openKept(caller, FileSpace.thread(thread));
    }

    FileTree toMake(Caller caller, String thread) {
        return files.spaces().open(caller, FileSpace.thread(thread), VolumeAccess.WRITE);
    }

    /// By exact value and never by pattern: what is read must be found again by `edit`.
    Redactor redactor(Caller caller) {
        return redaction.exactly(caller.id(), secrets.apply(caller));
    }

    CallerWorkers computing(Caller caller) {
        return new CallerWorkers(workers, caller.id());
    }

    private static String place(FileService files, Caller caller, String thread) {
        return files.spaces().place(caller, FileSpace.thread(thread), VolumeAccess.READ);
    }

    void mark(Caller caller, String thread, FilePath path, String hash) {
        marks.note(caller, place(files, caller, thread), path, hash);
    }

    Optional<String> marked(Caller caller, String thread, FilePath path) {
        return marks.of(caller, place(files, caller, thread), path);
    }

    /// Tells everybody who follows the files, and remembers what the caller wrote.
    void changed(Caller caller, String thread, List<FilePath> paths, List<FileEvent> events) {
        files.changed(caller, FileSpace.thread(thread), paths, () -> events);
    }

    /// What is there under a path that is to be changed.
    ///
    /// @throws Refusal for a directory or a link
    Optional<StoredFile> target(FileTree tree, FilePath path) throws InterruptedException {
        requireNoDirectory(tree, path);
        var link = tree.linkTarget(path);
        if (link.isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "%s is a link to %s: change %2$s"
                            .formatted(
                                    AgentPath.shown(path),
                                    TextBytes.shown(TextBytes.of(link.get()))));
        }
        return look(tree, path);
    }

    static Optional<StoredFile> look(FileTree tree, FilePath path) {
        try {
            return Optional.of(tree.look(path));
        } catch (Refusal refused) {
            if (refused.reason() == Reason.NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    void requireNoDirectory(FileTree tree, FilePath path) throws InterruptedException {
        if (!path.isRoot() && look(tree, path).filter(StoredFile::isDirectory).isEmpty()) {
            return;
        }
        var page = tree.list(path, false, Optional.empty(), 1_000);
        var names =
                page.files().stream()
                        .limit(NAMES_SHOWN)
                        .map(file ->
                                AgentPath.shown(new FilePath(file.path().name()))
                                        + (file.isDirectory() ? "/" : ""))
                        .collect(Collectors.joining(", "));
        int more = page.files().size() - NAMES_SHOWN;
        var past = page.next().isPresent() ? "more than " : "";
        throw new Refusal(
                Reason.INVALID_ARGUMENT,
                "path is a directory: %s. It has: %s%s"
                        .formatted(
                                AgentPath.shown(path),
                                names.isEmpty() ? "nothing" : names,
                                more > 0 ? ", … (%s%d more)".formatted(past, more) : ""));
    }

    /// Loads a text that is to be changed.
    ///
    /// @throws Refusal when it is absent, too large or no text
    Loaded load(Caller caller, FileTree tree, FilePath path) throws InterruptedException {
        if (target(tree, path).isEmpty()) {
            throw absent(path);
        }
        try (var content = tree.read(path)) {
            var bytes = content.atMost(EDIT_BYTES_MAX).orElseThrow(() -> tooLarge(path, content));
            return computing(caller)
                    .run(() -> {
                        requireText(path, bytes);
                        return new Loaded(bytes, ContentHash.of(bytes));
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }

    static Refusal absent(FilePath path) {
        return new Refusal(Reason.NOT_FOUND, "there is no file " + AgentPath.shown(path) + ".");
    }

    private static Refusal tooLarge(FilePath path, FileContent content) {
        return new Refusal(
                Reason.TOO_LARGE,
                "%s has %d MiB; edit takes files up to 16 MiB. Use a program."
                        .formatted(AgentPath.shown(path), (content.file().size() + MIB - 1) / MIB));
    }

    private static void requireText(FilePath path, byte[] bytes) {
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == 0) {
                throw notText(path, at);
            }
        }
    }

    static Refusal notText(FilePath path, long offset) {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "%s is not text (offset %d is NUL)".formatted(AgentPath.shown(path), offset));
    }

    /// @throws Refusal when it repeats what only stands for a secret
    static void requireNothingRedacted(String old) {
        if (old.contains(REDACTED)) {
            throw redacted("old_string");
        }
    }

    /// @param what it is to be left out of
    static Refusal redacted(String what) {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "What you read had a secret taken out here. Leave that line out of " + what + ".");
    }

    /// Whether a file is not what the caller saw last.
    ///
    /// @param act as the refusal names it
    /// @throws Refusal when it never saw it, or expected something else
    boolean changedSinceRead(
            Caller caller,
            String thread,
            FilePath path,
            String hash,
            Optional<String> expected,
            String act) {
        if (expected.isPresent()) {
            if (!expected.get().equals(hash)) {
                throw new Refusal(
                        Reason.CHANGED,
                        "refusing to %s %s: it has changed since you read it. Read it again."
                                .formatted(act, AgentPath.shown(path)));
            }
            return false;
        }
        var seen = marked(caller, thread, path);
        if (seen.isEmpty() && readBeforeWrite) {
            throw new Refusal(
                    Reason.CHANGED,
                    "refusing to %s %s: Read it first".formatted(act, AgentPath.shown(path)));
        }
        return seen.isPresent() && !seen.get().equals(hash);
    }

    static List<Content> text(String text) {
        return List.of(Content.text(text));
    }
}
