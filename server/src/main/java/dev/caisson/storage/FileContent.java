package dev.caisson.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/// A regular file that is open. What was opened is what is read, whatever takes its name meanwhile.
///
/// @param file as it was when it was opened
public record FileContent(StoredFile file, FileChannel channel) implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;

    /// All of it, or nothing when it is larger.
    public Optional<byte[]> atMost(int bytesMax) throws IOException {
        return file.size() > bytesMax
                ? Optional.empty()
                : WorkspaceFiles.readAtMost(channel, bytesMax);
    }

    /// Copies a part.
    ///
    /// @return how much there was of it; less when the file has become shorter
    public long copy(long from, long length, OutputStream to) throws IOException {
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
            throw FileTrouble.thrown(e);
        }
    }
}
