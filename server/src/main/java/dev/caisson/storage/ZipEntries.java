package dev.caisson.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Entries of a zip file. Names are their texts, so that every unpacker can make them.
final class ZipEntries implements Archive.Entries {
    private final ZipOutputStream zip;

    ZipEntries(OutputStream to) {
        zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
        zip.setLevel(Deflater.BEST_SPEED);
    }

    @Override
    public void directory(FilePath path, Instant modified) throws IOException {
        zip.putNextEntry(entry(path.text() + "/", modified));
        zip.closeEntry();
    }

    @Override
    public void file(StoredFile file, Archive.Content content) throws IOException {
        zip.putNextEntry(entry(file.path().text(), file.modified()));
        content.writeTo(zip);
        zip.closeEntry();
    }

    private static ZipEntry entry(String name, Instant modified) {
        var entry = new ZipEntry(name);
        entry.setLastModifiedTime(FileTime.from(modified));
        return entry;
    }

    @Override
    public void finish() throws IOException {
        zip.finish();
        zip.flush();
    }
}
