package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import dev.caisson.linux.MemoryMount;
import dev.caisson.linux.TmpfsSize;
import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.util.Locale;

/// Workspaces in memory, for runs that keep nothing: each is a file system of its own that ends in
/// bytes and in files. The server holds its descriptor, and finds there what the program left.
///
/// It is made when its sandbox needs it, unless that has one already.
///
/// What is written is charged to the memory limit of the writer. So only programs write here: what
/// the server itself puts into a workspace goes to the disk.
///
/// @param bytesMax the most of one
/// @param filesMax the most in one
/// @param owner user and group its top directory belongs to
public record MemoryWorkspaces(long bytesMax, long filesMax, int owner) {
    /// The rest of a run's memory is for its program.
    private static final int MEMORY_DIVISOR = 2;

    /// A file takes at least this much of the kernel's memory and its own.
    private static final long BYTES_PER_FILE = 4_096;

    /// The size of one for a run with so much memory.
    long bytes(long runBytes) {
        return Math.min(bytesMax, runBytes / MEMORY_DIVISOR);
    }

    private long files(long bytes) {
        return Math.max(1, Math.min(filesMax, bytes / BYTES_PER_FILE));
    }

    WorkspaceMaker.Opened open(long runBytes) {
        long bytes = bytes(runBytes);
        return new InMemory(MemoryMount.planned(new TmpfsSize(bytes, files(bytes) + 1, owner)));
    }

    /// To follow the capacity of others.
    String capacity() {
        return String.format(
                Locale.ROOT, "; without a thread up to %,d MiB, in memory", bytesMax >> 20);
    }

    private record InMemory(MemoryMount mount) implements WorkspaceMaker.Opened {
        @Override
        public Workspace workspace() {
            return new Workspace.Image(mount);
        }

        @Override
        public Path root() {
            return Path.of("/proc/self/fd", Integer.toString(mount.root()));
        }

        @Override
        public DiskUsage room() {
            return mount.room();
        }

        @Override
        public void close() {
            mount.close();
        }
    }
}
