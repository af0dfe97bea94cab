package dev.caisson.storage;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/// Writes a tree as an archive, in constant memory: directories and regular files as they are met.
/// Links and special files are left out, for nobody but the sandbox should follow them. When
/// something else had to be left out, the last entry says so.
final class Archive {
    /// A zip file has a list of its entries at the end, which is kept in memory until then.
    static final long ZIP_ENTRIES_MAX = 200_000;

    /// A larger file that is almost nothing but holes is left out: it would unpack to what no disk
    /// here could hold.
    static final long SPARSE_BYTES_MAX = 1L << 30;

    private static final int SPARSE_RATIO = 16;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final byte[] NOTE_TEXT =
            "This archive is not complete: the tree is larger or deeper than the server looks, has huge files that are almost empty, or changed meanwhile.\n"
                    .getBytes(StandardCharsets.UTF_8);

    private final Entries entries;
    private boolean complete = true;

    /// A format's own way to write entries.
    interface Entries {
        void directory(FilePath path, Instant modified) throws IOException;

        /// @param content has exactly the size it says, or less when the file has shrunk
        void file(StoredFile file, Content content) throws IOException;

        /// Ends the archive, but not the stream.
        void finish() throws IOException;
    }

    interface Content {
        /// @return how many bytes were written
        long writeTo(OutputStream to) throws IOException;
    }

    private Archive(Entries entries) {
        this.entries = entries;
    }

    static void write(UntrustedDirectory root, Bounds bounds, ArchiveFormat format, OutputStream to)
            throws IOException {
        switch (format) {
            case ZIP ->
                    new Archive(new ZipEntries(to))
                            .write(
                                    root,
                                    new Bounds(
                                            Math.min(bounds.entries(), ZIP_ENTRIES_MAX),
                                            bounds.depth()));
            case TAR_ZST -> writeZstd(root, bounds, to);
            case TAR_GZ -> {
                var packed = new GZIPOutputStream(to, BUFFER_BYTES);
                new Archive(new TarEntries(packed)).write(root, bounds);
                packed.finish();
            }
        }
    }

    /// What packs it is not memory of ours, so it is given back on every way out.
    private static void writeZstd(UntrustedDirectory root, Bounds bounds, OutputStream to)
            throws IOException {
        var packed = new ZstdOutputStreamNoFinalizer(to);
        try {
            packed.setChecksum(true);
            var buffered = new BufferedOutputStream(packed, BUFFER_BYTES);
            new Archive(new TarEntries(buffered)).write(root, bounds);
        } finally {
            packed.closeWithoutClosingParentStream();
        }
    }

    private void write(UntrustedDirectory root, Bounds bounds) throws IOException {
        var seenAll = new Walk(bounds, true, this::add).through(root, FilePath.ROOT);
        if (!seenAll || !complete) {
            addNote();
        }
        entries.finish();
    }

    /// Under a name that no file has.
    private void addNote() throws IOException {
        var path = new FilePath("CAISSON-INCOMPLETE-" + UUID.randomUUID() + ".txt");
        entries.file(
                new StoredFile(path, FileKind.FILE, NOTE_TEXT.length, Instant.EPOCH, ""),
                out -> {
                    out.write(NOTE_TEXT);
                    return NOTE_TEXT.length;
                });
    }

    private void add(UntrustedDirectory directory, Found found) throws IOException {
        switch (found.node().kind()) {
            case DIRECTORY -> entries.directory(found.path(), found.node().modified());
            case FILE -> addFile(directory, found);
            case LINK, OTHER -> {}
        }
    }

    private void addFile(UntrustedDirectory directory, Found found) throws IOException {
        if (isMostlyHoles(found.node())) {
            complete = false;
            return;
        }
        try (var opened = directory.read(found.name());
                var content =
                        new FileContent(
                                StoredFile.of(found.path(), opened.node()), opened.channel())) {
            var file = content.file();
            entries.file(file, out -> content.copy(0, file.size(), out));
        } catch (KernelException gone) {
            complete = false;
        }
    }

    private static boolean isMostlyHoles(Node node) {
        return node.size() > SPARSE_BYTES_MAX && node.allocatedBytes() < node.size() / SPARSE_RATIO;
    }
}
