package dev.caisson.actions;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.json.Json;
import dev.caisson.storage.ArchiveFormat;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.VolumeAccess;
import java.io.IOException;

/// Deletion of threads, and archives of their files.
public final class ThreadActions {
    private final Broker broker;
    private final FileService files;

    ThreadActions(Broker broker, FileService files) {
        this.broker = broker;
        this.files = files;
    }

    public void delete(Call call, String id) throws InterruptedException {
        broker.act(
                call,
                ActionRequest.change("thread_delete", Json.object().put("id", id)),
                noted -> {
                    files.spaces().threads().delete(noted.caller(), id);
                    files.threadsChanged(noted.caller());
                    return id;
                });
    }

    /// All files of a thread as one archive.
    ///
    /// @param to opened once it is known that there will be one
    public void archive(
            Call call, String id, ArchiveFormat format, ArchiveLimits limits, FileTree.Target to)
            throws IOException, InterruptedException {
        var arguments = Json.object().put("id", id).put("format", format.word());
        broker.<String, IOException>act(
                call,
                ActionRequest.read("archive_download", arguments),
                noted -> {
                    var caller = noted.caller();
                    try (var tree =
                            files.spaces().open(caller, FileSpace.thread(id), VolumeAccess.READ)) {
                        tree.archive(
                                format,
                                limits,
                                () -> new NotedOutput(to.open(), noted.notes()::handedOut));
                    }
                    return id;
                });
    }
}
