package dev.caisson.storage;

import dev.caisson.storage.archive.CountingStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.function.LongConsumer;

/// A regular file that is open. What was opened is what is read, whatever takes its name meanwhile.
///
/// @param file as it was when it was opened
/// @param read is told how many bytes of it were handed out
public record FileContent(StoredFile file, FileChannel channel, LongConsumer read)
        implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;

    /// One that is read for the server itself.
    public FileContent(StoredFile file, FileChannel channel) {
        this(file, channel, _ -> {});
    }

    /// All of it, or nothing when it is larger.
    public Optional<byte[]> atMost(int bytesMax) throws IOException {
        if (file.size() > bytesMax) {
            return Optional.empty();
        }
        var bytes = WorkspaceFiles.readAtMost(channel, bytesMax);
        bytes.ifPresent(all -> read.accept(all.length));
        return bytes;
    }

    /// Hands out a part.
    ///
    /// @return how much there was of it; less when the file has become shorter
    public long copy(long from, long length, OutputStream to) throws IOException {
        var counting = new CountingStream(to, read);
        return copyUncounted(from, length, counting);
    }

    /// The same for the server itself.
    long copyUncounted(long from, long length, OutputStream to) throws IOException {
        var piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, Math.max(1, length)));
        var done = 0L;
        while (done < length) {
            piece.clear().limit((int) Math.min(piece.capacity(), length - done));
            var read = channel.read(piece, from + done);
            if (read < 0) {
                return done;
            }
            to.write(piece.array(), 0, read);
            done += read;
        }
        return done;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.thrown(e);
        }
    }
}
