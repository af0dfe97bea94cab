package dev.caisson.storage.archive;

import dev.caisson.storage.FilePath;
import dev.caisson.storage.PortableName;
import dev.caisson.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Entries of a zip file, under names that every unpacker can make: see [PortableName].
final class ZipEntries implements Archive.Entries {
    private final ZipOutputStream zip;

    ZipEntries(OutputStream to) {
        zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
        zip.setLevel(Deflater.BEST_SPEED);
    }

    @Override
    public void directory(FilePath path, Instant modified) throws IOException {
        zip.putNextEntry(entry(PortableName.of(path) + "/", modified));
        zip.closeEntry();
    }

    @Override
    public OutputStream file(StoredFile file) throws IOException {
        zip.putNextEntry(entry(PortableName.of(file.path()), file.modified()));
        return zip;
    }

    @Override
    public void endFile(StoredFile file, long missing) throws IOException {
        zip.closeEntry();
    }

    private static ZipEntry entry(String name, Instant modified) {
        var entry = new ZipEntry(name);
        entry.setLastModifiedTime(FileTime.from(modified));
        return entry;
    }

    @Override
    public void finish() throws IOException {
        zip.close();
    }

    /// An archive that is given up need not be whole.
    @Override
    public void close() throws IOException {
        zip.close();
    }
}
