package dev.caisson.storage.archive;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.ArchiveFormat;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.FileContent;
import dev.caisson.storage.FileKind;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.StoredFile;
import dev.caisson.storage.WalkBounds;
import dev.caisson.storage.tree.Walk;
import dev.caisson.storage.tree.WalkEntry;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/// Archive writer: writes a tree as an archive, in constant memory: directories and regular files
/// as they are met. Links and special files are left out, for nobody but the sandbox should follow
/// them. When something else had to be left out, the last entry says so.
///
/// It is packed step by step on the threads that compute, and each piece is written by the thread
/// that asked for it: a slow reader holds nobody up, and one who leaves ends the packing.
public final class Archive implements AutoCloseable {
    /// A zip file has a list of its entries at the end, which is kept in memory until then.
    static final long ZIP_ENTRIES_MAX = 200_000;

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int STEP_BYTES = 64 << 10;
    private static final byte[] NOTE_TEXT =
            "This archive is not complete: the tree is larger or deeper than the server looks, has huge files that are almost empty, or changed meanwhile.\n"
                    .getBytes(StandardCharsets.UTF_8);

    private final Walk walk;
    private final Entries entries;
    private final ArchiveLimits.Total total;
    private Optional<Packed> packed = Optional.empty();
    private boolean complete = true;

    /// A format's own way to write entries.
    interface Entries extends AutoCloseable {
        void directory(FilePath path, Instant modified) throws IOException;

        /// Begins a file.
        ///
        /// @return where its content goes
        OutputStream file(StoredFile file) throws IOException;

        /// Ends the file.
        ///
        /// @param missing bytes of its size, because it has shrunk
        void endFile(StoredFile file, long missing) throws IOException;

        /// Ends the archive.
        void finish() throws IOException;

        /// Gives back what packing took.
        @Override
        void close() throws IOException;
    }

    /// A file that is being packed.
    private record Packed(FileContent content, OutputStream to, long done) {
        Packed after(long more) {
            return new Packed(content, to, done + more);
        }

        long left() {
            return content.file().size() - done;
        }
    }

    private Archive(
            UntrustedDirectory root, WalkBounds bounds, ArchiveLimits limits, Entries entries) {
        this.entries = entries;
        this.total = limits.total();
        this.walk = new Walk(root.enter(new byte[0]), FilePath.ROOT, bounds, this::add);
    }

    /// @param to written to by the calling thread, and not closed
    public static void write(
            UntrustedDirectory root,
            WalkBounds bounds,
            ArchiveLimits limits,
            ArchiveFormat format,
            CallerWorkers computing,
            OutputStream to)
            throws IOException, InterruptedException {
        var pieces = new ByteArrayOutputStream(BUFFER_BYTES);
        try (var entries = entries(format, pieces);
                var archive = new Archive(root, bounds(format, bounds), limits, entries)) {
            while (computing.runSlice(archive::next)) {
                hand(pieces, to);
            }
            hand(pieces, to);
        }
    }

    private static void hand(ByteArrayOutputStream pieces, OutputStream to) throws IOException {
        if (pieces.size() > 0) {
            pieces.writeTo(to);
            pieces.reset();
        }
    }

    private static WalkBounds bounds(ArchiveFormat format, WalkBounds bounds) {
        return format == ArchiveFormat.ZIP
                ? new WalkBounds(Math.min(bounds.entries(), ZIP_ENTRIES_MAX), bounds.depth())
                : bounds;
    }

    private static Entries entries(ArchiveFormat format, OutputStream to) throws IOException {
        return switch (format) {
            case ZIP -> new ZipEntries(to);
            case TAR_GZ -> new TarEntries(new GZIPOutputStream(to, BUFFER_BYTES));
            case TAR_ZST -> {
                var packed = new ZstdOutputStreamNoFinalizer(to);
                packed.setChecksum(true);
                yield new TarEntries(new BufferedOutputStream(packed, BUFFER_BYTES));
            }
        };
    }

    /// @return whether there is another step
    private boolean next() throws IOException {
        if (packed.isPresent()) {
            packed = pack(packed.get());
            return true;
        }
        if (walk.next()) {
            return true;
        }
        if (!walk.complete() || !complete) {
            addNote();
        }
        entries.finish();
        return false;
    }

    private Optional<Packed> pack(Packed now) throws IOException {
        var wanted = Math.min(STEP_BYTES, now.left());
        var copied = now.content().copy(now.done(), wanted, now.to());
        var after = now.after(copied);
        if (copied == wanted && after.left() > 0) {
            return Optional.of(after);
        }
        try (var content = now.content()) {
            entries.endFile(content.file(), after.left());
        }
        return Optional.empty();
    }

    /// Under a name that no file has.
    private void addNote() throws IOException {
        var path = new FilePath("CAISSON-INCOMPLETE-" + UUID.randomUUID() + ".txt");
        var note = new StoredFile(path, FileKind.FILE, NOTE_TEXT.length, Instant.EPOCH, "");
        entries.file(note).write(NOTE_TEXT);
        entries.endFile(note, 0);
    }

    private boolean add(Walk.Met met) throws IOException {
        var found = met.look();
        switch (found.node().kind()) {
            case DIRECTORY -> entries.directory(found.path(), found.node().modified());
            case FILE -> addFile(met.directory(), found);
            case LINK, OTHER -> {}
        }
        return found.node().isDirectory();
    }

    /// What has grown since it was added up is left out.
    private void addFile(UntrustedDirectory directory, WalkEntry found) throws IOException {
        if (ArchiveLimits.isMostlyHoles(found.node()) || total.add(found.node()).isPresent()) {
            complete = false;
            return;
        }
        var opened = directory.read(found.name());
        var file = StoredFile.of(found.path(), opened.node());
        var content = new FileContent(file, opened.channel());
        packed = Optional.of(new Packed(content, entries.file(file), 0));
    }

    @Override
    public void close() {
        walk.close();
        packed.ifPresent(now -> now.content().close());
    }
}
