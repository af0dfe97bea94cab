package dev.caisson.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Event of the files of a thread: an upload, a deletion, or what a run changed.
public sealed interface FileEvent {
    /// What happened to a file.
    enum Act {
        CREATED,
        MODIFIED,
        REMOVED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Who did it.
    enum Cause {
        RUN,
        UPLOAD,
        DELETION;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// One file is there, is another or is gone.
    ///
    /// @param path as text; of a directory that was removed with all that was in it
    /// @param size absent for one that is gone
    /// @param executionId of the run that did it
    record Changed(
            Act act, String path, Optional<Long> size, Cause cause, Optional<String> executionId)
            implements FileEvent {}

    /// More happened than is told one by one: whoever wants to know lists the files again.
    record Overflow() implements FileEvent {}

    /// The thread is gone with all its files.
    record ThreadDeleted() implements FileEvent {}

    /// A file was stored by a caller.
    static FileEvent of(Upload.Stored stored) {
        return new Changed(
                stored.replaced() ? Act.MODIFIED : Act.CREATED,
                stored.file().path().text(),
                Optional.of(stored.file().size()),
                Cause.UPLOAD,
                Optional.empty());
    }

    /// Something was removed by a caller.
    static FileEvent removed(FilePath path) {
        return new Changed(
                Act.REMOVED, path.text(), Optional.empty(), Cause.DELETION, Optional.empty());
    }

    /// What a run did, which is what differs between two looks. When one of them did not see all,
    /// or they differ in too much, that is all that is said.
    ///
    /// @param shown how the text of a path is shown, for a program chose it
    static List<FileEvent> ofRun(
            String executionId, Listing before, Listing after, UnaryOperator<String> shown) {
        if (!before.complete() || !after.complete()) {
            return List.of(new Overflow());
        }
        var run = Optional.of(executionId);
        var events = new ArrayList<FileEvent>();
        var known = new HashMap<FilePath, WorkspaceFile>();
        before.files().forEach(file -> known.put(file.path(), file));
        for (var file : after.files()) {
            var former = Optional.ofNullable(known.get(file.path()));
            if (!former.equals(Optional.of(file))) {
                var act = former.isPresent() ? Act.MODIFIED : Act.CREATED;
                var path = shown.apply(file.path().text());
                events.add(new Changed(act, path, Optional.of(file.size()), Cause.RUN, run));
            }
        }
        for (var gone : after.removedSince(before)) {
            var path = shown.apply(gone.path().text());
            events.add(new Changed(Act.REMOVED, path, Optional.empty(), Cause.RUN, run));
        }
        return events.size() > FileEvents.WAITING_MAX ? List.of(new Overflow()) : events;
    }
}
