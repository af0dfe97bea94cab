package dev.caisson.devtools;

import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.edit.Grade;
import dev.caisson.edit.TextBytes;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileChange;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Files of a thread as they will be under a patch. Nothing of it is written before all of it is
/// known to fit; parts of a patch about one file follow each other.
final class PatchedFiles {
    /// Of all files of a patch together, before and behind it.
    static final int BYTES_MAX = 32 << 20;

    private static final String TOO_LARGE =
            "The files of a patch have more than 32 MiB together: split it, or use a program.";

    private final ThreadFiles threads;
    private final Call call;
    private final String thread;
    private final FileTree tree;
    private final Map<FilePath, Patched> files = new LinkedHashMap<>();
    private long loaded;

    PatchedFiles(ThreadFiles threads, Call call, String thread, FileTree tree) {
        this.threads = threads;
        this.call = call;
        this.thread = thread;
        this.tree = tree;
    }

    /// A file under the patch.
    static final class Patched {
        private final FilePath path;

        /// What is there; absent when nothing is.
        private final Optional<String> hash;

        private Optional<String> text;
        private FilePath like;
        Optional<FilePath> movedFrom = Optional.empty();
        Optional<FilePath> movedTo = Optional.empty();
        Grade grade = Grade.EXACT;
        boolean changedSinceRead;
        boolean touched;

        private Patched(FilePath path, Optional<String> hash, Optional<String> text) {
            this.path = path;
            this.hash = hash;
            this.text = text;
            this.like = path;
        }

        FilePath path() {
            return path;
        }

        Optional<String> text() {
            return text;
        }

        boolean wasThere() {
            return hash.isPresent();
        }

        void passed(Grade passedOver) {
            grade = grade.compareTo(passedOver) < 0 ? passedOver : grade;
        }

        void set(String now) {
            text = Optional.of(now);
            touched = true;
        }
    }

    /// A file whose text is to be changed.
    ///
    /// @throws Refusal when it is absent, no text, or was not read
    Patched toUpdate(FilePath path) throws InterruptedException {
        var known = files.get(path);
        if (known != null) {
            if (known.text().isEmpty()) {
                throw ThreadFiles.absent(path);
            }
            return known;
        }
        var there = threads.load(call.caller(), tree, path);
        count(there.bytes().length);
        var file = new Patched(path, Optional.of(there.hash()), Optional.of(there.text()));
        file.changedSinceRead =
                threads.changedSinceRead(
                        call.caller(), thread, path, there.hash(), Optional.empty(), "patch");
        files.put(path, file);
        return file;
    }

    void add(FilePath path, String content) throws InterruptedException {
        var file = files.get(path);
        if (file == null && threads.target(tree, path).isPresent()) {
            file = requireSame(path, content);
        }
        if (file == null) {
            file = new Patched(path, Optional.empty(), Optional.empty());
        } else if (file.text().isPresent() && !file.text().get().equals(content)) {
            throw taken(path);
        }
        if (file.text().isEmpty()) {
            file.set(content);
            file.movedTo = Optional.empty();
        }
        files.put(path, file);
    }

    /// What is there already may be added again.
    private Patched requireSame(FilePath path, String content) throws InterruptedException {
        var there = threads.load(call.caller(), tree, path);
        if (!there.text().equals(content)) {
            throw taken(path);
        }
        return new Patched(path, Optional.of(there.hash()), Optional.of(content));
    }

    private static Refusal taken(FilePath path) {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "%s is there already: update it, or delete it first"
                        .formatted(AgentPath.shown(path)));
    }

    void delete(FilePath path) throws InterruptedException {
        var file = files.get(path);
        if (file == null) {
            file = toDelete(path);
            files.put(path, file);
        } else if (file.text().isEmpty()) {
            throw ThreadFiles.absent(path);
        }
        file.text = Optional.empty();
        file.touched = true;
    }

    private Patched toDelete(FilePath path) throws InterruptedException {
        if (threads.target(tree, path).isEmpty()) {
            throw ThreadFiles.absent(path);
        }
        var hash = hash(path);
        if (threads.changedSinceRead(
                call.caller(), thread, path, hash, Optional.empty(), "delete")) {
            throw new Refusal(
                    Reason.CHANGED,
                    "refusing to delete %s: it has changed since you read it. Read it again."
                            .formatted(AgentPath.shown(path)));
        }
        return new Patched(path, Optional.of(hash), Optional.empty());
    }

    private String hash(FilePath path) throws InterruptedException {
        try (var content = tree.read(path)) {
            return tree.hash(content)
                    .orElseThrow(() ->
                            new Refusal(
                                    Reason.TOO_LARGE,
                                    AgentPath.shown(path)
                                            + " has more than 64 MiB: delete it with files_delete."));
        } catch (IOException e) {
            throw new UncheckedIOException("a file cannot be read", e);
        }
    }

    void move(Patched from, FilePath to) throws InterruptedException {
        if (from.path().equals(to)) {
            return;
        }
        var target = files.get(to);
        boolean taken =
                target == null ? threads.target(tree, to).isPresent() : target.text().isPresent();
        if (taken) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "%s cannot be moved to %s, which is there already: delete that first"
                            .formatted(AgentPath.shown(from.path()), AgentPath.shown(to)));
        }
        var moved = target == null ? new Patched(to, Optional.empty(), Optional.empty()) : target;
        moved.set(from.text().orElseThrow());
        moved.like = from.like;
        moved.movedFrom = from.movedFrom.or(() -> Optional.of(from.path()));
        moved.grade = from.grade;
        moved.changedSinceRead = from.changedSinceRead;
        from.text = Optional.empty();
        from.touched = true;
        from.movedTo = Optional.of(to);
        files.put(to, moved);
    }

    /// Texts that are held at the same time have a limit.
    private void count(long bytes) {
        loaded += bytes;
        if (loaded > BYTES_MAX) {
            throw new Refusal(Reason.TOO_LARGE, TOO_LARGE);
        }
    }

    /// Makes all changes, or none.
    ///
    /// @return every file of the patch, with its hash from then on
    List<Done> write() throws InterruptedException {
        var changes = new ArrayList<FileChange>();
        var all = new ArrayList<Done>();
        requireRoom();
        for (var file : files.values()) {
            var bytes = file.text().map(TextBytes::bytes);
            boolean differs = file.touched && (file.wasThere() || bytes.isPresent());
            if (differs) {
                changes.add(new FileChange(file.path(), bytes, expected(file), file.like));
            }
            all.add(new Done(file, bytes.map(ContentHash::of), differs));
        }
        if (!changes.isEmpty()) {
            threads.files().uploads().count(call.caller(), loaded);
            tree.changeAll(changes);
        }
        return all;
    }

    private void requireRoom() {
        loaded =
                files.values().stream()
                        .mapToLong(file -> file.text().map(String::length).orElse(0))
                        .sum();
        if (loaded > BYTES_MAX) {
            throw new Refusal(Reason.TOO_LARGE, TOO_LARGE + "\nNothing was changed.");
        }
    }

    /// @param hash absent for one that is gone
    /// @param differs whether anything was done to it
    record Done(Patched file, Optional<String> hash, boolean differs) {}

    private static Expected expected(Patched file) {
        return file.hash
                .<Expected>map(hash -> new Expected.OneOf(Set.of(hash)))
                .orElseGet(Expected.Nothing::new);
    }
}
