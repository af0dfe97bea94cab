package dev.caisson.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// A lock between processes that the kernel gives back when its holder ends, however it ends. The
/// file stays, and holds the number of the last process that had the lock.
final class LockFile implements AutoCloseable {
    private final FileChannel channel;

    private LockFile(FileChannel channel) {
        this.channel = channel;
    }

    /// To be tried once by a process that may have the lock already: when the second attempt gives
    /// up, the kernel takes the lock of the whole process back, and only this process still knows
    /// of it.
    ///
    /// @return empty when somebody has it, be it in this process
    static Optional<LockFile> tryTake(Path file) {
        try {
            var lock =
                    new LockFile(
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            if (lock.took()) {
                return Optional.of(lock);
            }
            lock.close();
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot lock " + file, failure);
        }
    }

    private boolean took() throws IOException {
        try {
            if (channel.tryLock() == null) {
                return false;
            }
            sign();
            return true;
        } catch (OverlappingFileLockException _) {
            return false;
        } catch (IOException failure) {
            close();
            throw failure;
        }
    }

    private void sign() throws IOException {
        channel.truncate(0);
        var holder = Long.toString(ProcessHandle.current().pid());
        channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.US_ASCII)));
    }

    /// The number of the process that has the lock or had it last.
    static String holder(Path file) {
        try {
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (IOException _) {
            return "unknown";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot unlock", failure);
        }
    }
}
