package dev.caisson.devtools;

import dev.caisson.call.Call;
import dev.caisson.edit.Grade;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Report of a patch: what became of each of its files.
record PatchReport(List<PatchedFiles.Done> files) {
    /// What became of a file.
    enum Action {
        ADDED,
        UPDATED,
        DELETED,
        MOVED,
        /// There was nothing to do.
        UNCHANGED
    }

    /// @param from the name that it had
    /// @param hash absent for a file that is gone
    /// @param matchedWith what was passed over to find its places, at most
    record Item(
            String path,
            Action action,
            Optional<String> from,
            Optional<String> hash,
            Grade matchedWith,
            boolean changedSinceRead) {}

    static PatchReport of(List<PatchedFiles.Done> files) {
        return new PatchReport(List.copyOf(files));
    }

    List<Item> items() {
        return files.stream()
                .filter(done -> done.file().movedTo.isEmpty())
                .filter(done -> done.differs() || done.hash().isPresent())
                .map(done -> {
                    var file = done.file();
                    return new Item(
                            AgentPath.shown(file.path()),
                            action(done),
                            file.movedFrom.map(AgentPath::shown),
                            done.hash(),
                            file.grade,
                            file.changedSinceRead);
                })
                .toList();
    }

    private static Action action(PatchedFiles.Done done) {
        if (!done.differs()) {
            return Action.UNCHANGED;
        }
        if (done.hash().isEmpty()) {
            return Action.DELETED;
        }
        if (done.file().movedFrom.isPresent()) {
            return Action.MOVED;
        }
        return done.file().wasThere() ? Action.UPDATED : Action.ADDED;
    }

    String text() {
        var text = new StringBuilder();
        for (var item : items()) {
            text.append(line(item)).append('\n');
        }
        return text.isEmpty() ? "nothing to do" : text.substring(0, text.length() - 1);
    }

    private static String line(Item item) {
        var line =
                new StringBuilder(
                        switch (item.action()) {
                            case ADDED -> "added " + item.path();
                            case UPDATED -> "updated " + item.path();
                            case DELETED -> "deleted " + item.path();
                            case MOVED ->
                                    "moved " + item.from().orElseThrow() + " to " + item.path();
                            case UNCHANGED -> item.path() + " has this already: nothing to do";
                        });
        if (item.matchedWith() != Grade.EXACT) {
            line.append(" (matched with ").append(item.matchedWith().word()).append(')');
        }
        if (item.changedSinceRead()) {
            line.append("\nnote: ").append(item.path()).append(" had changed since you read it");
        }
        return line.toString();
    }

    /// Tells everybody who follows the files, and remembers what the caller wrote.
    void remember(ThreadFiles threads, Call call, String thread) {
        var paths = new ArrayList<FilePath>();
        var events = new ArrayList<FileEvent>();
        for (var done : files) {
            var path = done.file().path();
            done.hash().ifPresent(hash -> threads.mark(call.caller(), thread, path, hash));
            if (done.differs()) {
                paths.add(path);
                events.add(event(done));
            }
        }
        if (!paths.isEmpty()) {
            threads.changed(call.caller(), thread, paths, events);
        }
    }

    private static FileEvent event(PatchedFiles.Done done) {
        var file = done.file();
        if (done.hash().isEmpty()) {
            return FileEvent.removed(file.path());
        }
        return new FileEvent.Changed(
                file.wasThere() ? FileEvent.Act.MODIFIED : FileEvent.Act.CREATED,
                file.path().text(),
                file.text().map(text -> (long) text.length()),
                FileEvent.Cause.UPLOAD,
                Optional.empty());
    }
}
