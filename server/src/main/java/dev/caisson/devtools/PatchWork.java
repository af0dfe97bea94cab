package dev.caisson.devtools;

import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.edit.Cut;
import dev.caisson.edit.FilePatch;
import dev.caisson.edit.Hunk;
import dev.caisson.edit.PatchedText;
import dev.caisson.edit.Replacement;
import dev.caisson.edit.TextBytes;
import dev.caisson.storage.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Work on the files of one patch. Whatever does not fit is collected, so that one refusal tells
/// all of it.
final class PatchWork {
    /// Characters that are searched in all: of each file as often as there are places to find.
    static final long SEARCHED_MAX = 256L << 20;

    private static final int REFUSALS_MAX = 10;
    private static final int MISPLACED_MAX = 3;
    private static final int PATH_SHOWN_MAX = 200;

    private final ThreadFiles threads;
    private final Call call;
    private final PatchedFiles files;
    private final List<Refusal> refusals = new ArrayList<>();
    private long searched;

    PatchWork(ThreadFiles threads, Call call, PatchedFiles files) {
        this.threads = threads;
        this.call = call;
        this.files = files;
    }

    private interface Part {
        void run() throws InterruptedException;
    }

    void applyAll(List<FilePatch> parts) throws InterruptedException {
        for (var part : parts) {
            attempt(() -> apply(part));
        }
        requireFit();
    }

    void replaceAll(List<Patch.One> edits) throws InterruptedException {
        for (int each = 0; each < edits.size(); each++) {
            var edit = edits.get(each);
            var name = "edits[" + each + "]: ";
            attempt(() -> {
                try {
                    replace(edit);
                } catch (Refusal refused) {
                    throw new Refusal(refused.reason(), name + refused.sentence());
                }
            });
        }
        requireFit();
    }

    private void attempt(Part part) throws InterruptedException {
        if (refusals.size() == REFUSALS_MAX) {
            return;
        }
        try {
            part.run();
        } catch (Refusal refused) {
            refusals.add(refused);
        }
    }

    /// @throws Refusal with everything that does not fit
    private void requireFit() {
        if (refusals.isEmpty()) {
            return;
        }
        var all =
                refusals.stream()
                        .map(Refusal::sentence)
                        .distinct()
                        .collect(Collectors.joining("\n"));
        throw new Refusal(
                refusals.getFirst().reason(),
                threads.redactor(call.caller()).text(all) + "\nNothing was changed.");
    }

    private FilePath path(String given) {
        var path = TextBytes.shown(given);
        if (path.isEmpty() || path.length() > AgentPath.LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    path.isEmpty()
                            ? "a part of the patch has no path"
                            : "path is too long: " + Cut.of(path, PATH_SHOWN_MAX, "…"));
        }
        return threads.path(path);
    }

    private void apply(FilePatch part) throws InterruptedException {
        var path = path(part.path());
        switch (part) {
            case FilePatch.Add(_, var content) -> files.add(path, content);
            case FilePatch.Delete(_) -> files.delete(path);
            case FilePatch.Update update -> update(path, update);
        }
    }

    private void update(FilePath path, FilePatch.Update update) throws InterruptedException {
        var to = update.movedTo().map(this::path);
        var file = files.toUpdate(path);
        var text = file.text().orElseThrow();
        var redactor = threads.redactor(call.caller());
        var patched = new PatchedText(AgentPath.shown(path), text, redactor::text);
        var misplaced = new ArrayList<String>();
        int number = 0;
        for (var hunk : update.hunks()) {
            int each = ++number;
            search(text, hunk);
            threads.computing(call.caller())
                    .run(() -> patched.apply(hunk, each))
                    .ifPresent(misplaced::add);
            if (misplaced.size() == MISPLACED_MAX) {
                break;
            }
        }
        if (!misplaced.isEmpty()) {
            throw new Refusal(Reason.INVALID_ARGUMENT, String.join("\n", misplaced));
        }
        if (patched.isChanged()) {
            var result = patched.result();
            requireSmall(path, text, result.length());
            file.passed(patched.grade());
            file.set(result);
        }
        if (to.isPresent()) {
            files.move(file, to.get());
        }
    }

    private void search(String text, Hunk hunk) {
        if (hunk.seeks(ThreadFiles.REDACTED)) {
            throw ThreadFiles.redacted("the patch");
        }
        search(text, hunk.searches());
    }

    /// What is searched takes time, so all of it has a limit.
    private void search(String text, int times) {
        searched += (long) text.length() * times;
        if (searched > SEARCHED_MAX) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "The patch has too many places in large files: split it, or use a program.");
        }
    }

    private static void requireSmall(FilePath path, String text, int length) {
        if (length > Replacement.BYTES_MAX && length > text.length()) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "%s would have more than 16 MiB. Use a program."
                            .formatted(AgentPath.shown(path)));
        }
    }

    private void replace(Patch.One edit) throws InterruptedException {
        var path = threads.path(edit.filePath());
        if (edit.oldString().equals(edit.newString())) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "old_string and new_string are the same: nothing to do");
        }
        ThreadFiles.requireNothingRedacted(edit.oldString());
        var file = files.toUpdate(path);
        var text = file.text().orElseThrow();
        search(text, 1);
        var redactor = threads.redactor(call.caller());
        var replacement =
                threads.computing(call.caller())
                        .run(() ->
                                Replacement.of(
                                        AgentPath.shown(path),
                                        text,
                                        TextBytes.ofCaller(edit.oldString()),
                                        TextBytes.ofCaller(edit.newString()),
                                        edit.replaceAll(),
                                        redactor::text));
        switch (replacement) {
            case Replacement.Impossible(var sentence) ->
                    throw new Refusal(Reason.INVALID_ARGUMENT, sentence);
            case Replacement.AlreadyThere() -> {}
            case Replacement.Done done -> {
                file.passed(done.grade());
                file.set(done.text());
            }
        }
    }
}
