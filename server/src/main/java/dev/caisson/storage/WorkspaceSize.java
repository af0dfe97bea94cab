package dev.caisson.storage;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Key;

/// Size of the file system of a workspace.
public record WorkspaceSize(
        @Key(
                        name = "sandbox.workspace_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1TiB",
                        doc = "The size of /workspace.")
                long bytes,
        @Key(
                        name = "sandbox.workspace_files",
                        initial = "100000",
                        min = "100",
                        max = "100000000",
                        doc = "The most files in /workspace.")
                int files,
        @Key(
                        name = "sandbox.workspace_memory_bytes",
                        initial = "256MiB",
                        min = "0",
                        max = "1TiB",
                        doc =
                                "The size of /workspace of a run without a thread and without input files. It is in memory and counts to the memory of the run, of which it is at most half. 0 puts it on the disk, as large as others.")
                long memoryBytes) {
    private static final long FILE_SYSTEM_BYTES = 256 << 10;
    private static final long BYTES_PER_FILE = 264;

    public WorkspaceSize {
        if (bytes < bytesFor(files)) {
            throw new Contradiction(
                    "sandbox.workspace_bytes",
                    "is too small for the %d files of sandbox.workspace_files".formatted(files),
                    "Raise it to %d or more, or lower sandbox.workspace_files."
                            .formatted(bytesFor(files)));
        }
    }

    /// The least a file system with so many files is made of: 256 bytes for each, and what
    /// describes them.
    private static long bytesFor(int files) {
        return FILE_SYSTEM_BYTES + BYTES_PER_FILE * files;
    }
}
