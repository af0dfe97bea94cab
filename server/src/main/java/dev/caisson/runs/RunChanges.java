package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.Listing;
import dev.caisson.storage.Volumes;
import dev.caisson.storage.WorkspaceFile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Announcer of the changes that runs make to files.
record RunChanges(FileService desk) {
    /// A run is over.
    ///
    /// @param before what was in its workspace
    /// @param fresh whether the thread was made for it
    /// @param volumes it could write to, also when its caller may not use them any more; nobody
    ///   knows what it did there
    void tell(
            Caller caller,
            FinishedRun execution,
            Listing before,
            boolean fresh,
            List<Volumes.Mounted> volumes) {
        execution
                .threadId()
                .map(FileSpace::thread)
                .ifPresent(thread -> {
                    if (fresh) {
                        desk.threadsChanged(caller);
                    }
                    tell(caller, thread, execution, before);
                });
        volumes.forEach(volume ->
                desk.changedAt(volume.id(), FileSpace.volume(volume.name()), List.of(), List::of));
    }

    private void tell(Caller caller, FileSpace thread, FinishedRun execution, Listing before) {
        var after = execution.files();
        var changed =
                Stream.concat(execution.changed().stream(), after.removedSince(before).stream())
                        .toList();
        if (!changed.isEmpty() || !before.complete() || !after.complete()) {
            desk.changed(
                    caller,
                    thread,
                    changed.stream().filter(execution::isNamable).map(WorkspaceFile::path).toList(),
                    () ->
                            FileEvent.ofRun(
                                    execution.id(), before, after, execution.redactor()::text));
        }
    }

    /// A run broke off before anybody looked at its files.
    void tellUnseen(Caller caller, Optional<String> threadId) {
        threadId.map(FileSpace::thread)
                .ifPresent(thread ->
                        desk.changed(
                                caller,
                                thread,
                                List.of(),
                                () -> List.of(new FileEvent.Overflow())));
    }
}
