package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Lease;
import dev.caisson.storage.Upload;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.WorkspaceFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Writer of the files that a run is given: into its workspace, before the program starts, along no
/// link.
///
/// @param desk where files to copy are read, by what the caller may read
/// @param files opens the workspace
record InputFiles(FileService desk, WorkspaceFiles files) {
    private static final String SEEN_AT = "/workspace";

    /// Refuses what can be refused before anything is taken for the run.
    void check(Caller caller, List<InputFile> given) {
        long carried = 0;
        for (var file : given) {
            path(file);
            carried += file.carried().map(bytes -> bytes.length).orElse(0);
            if (file.from().isPresent() && !FileService.reads(caller)) {
                throw new Refusal(
                        Reason.FORBIDDEN,
                        "This key may not read files, so it can copy none with from. Give the"
                                + " content.");
            }
        }
        requireFits(carried);
    }

    /// @param shown the directory of the workspace that the program sees as all of it
    void put(
            Caller caller,
            Lease lease,
            FilePath shown,
            Optional<String> threadId,
            List<InputFile> given)
            throws InterruptedException {
        if (given.isEmpty()) {
            return;
        }
        var stored = new ArrayList<Upload.Stored>();
        try (var tree = files.tree(caller.id(), lease)) {
            long bytes = 0;
            for (var file : given) {
                var one =
                        put(
                                caller,
                                tree,
                                shown.child(path(file)),
                                file,
                                RunInput.FILES_BYTES_MAX - bytes);
                stored.add(one);
                bytes += one.file().size();
            }
        }
        threadId.ifPresent(id ->
                desk.changed(
                        caller,
                        FileSpace.thread(id),
                        stored.stream().map(one -> one.file().path()).toList(),
                        () -> stored.stream().map(FileEvent::of).toList()));
    }

    private Upload.Stored put(
            Caller caller, FileTree tree, FilePath path, InputFile file, long left)
            throws InterruptedException {
        try (var upload = tree.upload(path, Expected.anything())) {
            if (file.from().isPresent()) {
                copy(caller, file.from().get(), upload, left);
            } else {
                upload.write(ByteBuffer.wrap(file.carried().orElseThrow()));
            }
            return upload.commit();
        }
    }

    private void copy(Caller caller, InputFile.Origin from, Upload upload, long left) {
        var space = from.space();
        var path = desk.spaces().readPath(() -> space.path(from.path()));
        try (var tree = desk.spaces().open(caller, space, VolumeAccess.READ);
                var content = tree.read(path)) {
            requireFits(RunInput.FILES_BYTES_MAX - left + content.file().size());
            content.copy(0, content.file().size(), into(upload));
        } catch (IOException failed) {
            throw new UncheckedIOException("a file cannot be copied", failed);
        }
    }

    private static OutputStream into(Upload upload) {
        return new OutputStream() {
            @Override
            public void write(int single) {
                upload.write(ByteBuffer.wrap(new byte[] {(byte) single}));
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                upload.write(ByteBuffer.wrap(bytes, from, length));
            }
        };
    }

    private FilePath path(InputFile file) {
        return desk.spaces().readPath(() -> FilePath.parse(file.path(), SEEN_AT));
    }

    private static void requireFits(long bytes) {
        if (bytes > RunInput.FILES_BYTES_MAX) {
            throw new Refusal(
                    Reason.TOO_LARGE,
                    "files take more than "
                            + Quantities.number(RunInput.FILES_BYTES_MAX)
                            + " bytes together. Keep them in a thread, or mount a volume.");
        }
    }
}
