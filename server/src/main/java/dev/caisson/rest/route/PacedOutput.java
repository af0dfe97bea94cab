package dev.caisson.rest.route;

import dev.caisson.http.OutStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;

/// An answer of any length, written at the pace of its reader.
public final class PacedOutput extends OutputStream {
    /// How much a reader may be behind before the writer waits.
    static final int HELD_BYTES_MAX = 256 << 10;

    /// How long a reader may let the writer wait.
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private final OutStream stream;
    private final Duration patience;

    public PacedOutput(OutStream stream) {
        this(stream, PATIENCE);
    }

    PacedOutput(OutStream stream, Duration patience) {
        stream.wholeOrNothing();
        this.stream = stream;
        this.patience = patience;
    }

    /// The reader has left, which is no fault of the server.
    public static final class ReaderGone extends InterruptedIOException {
        private static final long serialVersionUID = 1L;

        ReaderGone() {
            super("the reader is gone");
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            if (!stream.write(Arrays.copyOfRange(bytes, offset, offset + length))
                    || !stream.awaitHeld(HELD_BYTES_MAX, patience)) {
                throw new ReaderGone();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the server is stopping");
        }
    }

    /// Ends the answer properly. Without it the connection is given up.
    @Override
    public void close() {
        stream.close();
    }
}
