package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.storage.FileKind;
import dev.caisson.storage.StoredFile;
import java.time.Instant;
import java.util.Optional;

/// A file in a list.
record FileItem(
        String name,
        @Describe("From the root of the storage, as the other file tools take it.") String path,
        @Describe("Of a file; 0 of everything else.") long size,
        String modified,
        boolean isDirectory,
        FileKind kind,
        Optional<String> mediaType,
        @Describe("Of the content, for expected_hash. Not in lists, nor for files over 64 MiB.")
                Optional<String> hash) {
    static FileItem of(StoredFile file) {
        return of(file, Optional.empty());
    }

    static FileItem of(StoredFile file, Optional<String> hash) {
        return new FileItem(
                file.path().name(),
                file.path().text(),
                file.size(),
                Instant.ofEpochSecond(file.modified().getEpochSecond()).toString(),
                file.isDirectory(),
                file.kind(),
                file.mediaType(),
                hash);
    }
}
