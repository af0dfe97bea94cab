package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Length;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileService;
import dev.caisson.storage.FileSpace;

/// Address of a file: its thread or volume, and the path in it.
public record FileAddress(
        @Inline StorageAddress storage,
        @Describe("As files_list has it.") @Length(min = 1, max = PATH_LENGTH_MAX) String path) {
    static final int PATH_LENGTH_MAX = 16_384;

    public FileSpace space() {
        return storage.space();
    }

    /// @throws dev.caisson.call.Refusal for text that is no path
    public FilePath path(FileService files) {
        return files.spaces().readPath(() -> space().path(path));
    }
}
