package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.storage.FileKind;
import dev.caisson.storage.StoredFile;
import java.time.Instant;
import java.util.Optional;

/// Entry of a list of files.
record FileItem(
        String name,
        String path,
        long size,
        String modified,
        boolean isDirectory,
        FileKind kind,
        Optional<String> mediaType,
        @Describe("For expected_hash. Not in lists, nor over 64 MiB.") Optional<String> hash) {
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
