package dev.caisson.acceptance.wire;

import java.io.IOException;
import java.io.InputStream;

/// A body in chunks. A chunk without bytes is the proper end; a connection that just closes is not.
final class Chunked extends InputStream {
    private final InputStream in;
    private int left;
    private boolean ended;

    Chunked(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        if (ended) {
            return -1;
        }
        if (left == 0) {
            left = Integer.parseInt(Connection.readLine(in).strip(), 16);
            if (left == 0) {
                ended = true;
                Connection.readLine(in);
                return -1;
            }
        }
        int next = in.read();
        if (next < 0) {
            throw new IOException("the connection closed inside a chunk");
        }
        if (--left == 0) {
            Connection.readLine(in);
        }
        return next;
    }

    /// One byte at a time is enough for tests, and never waits for more than there is.
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int next = read();
        if (next < 0) {
            return -1;
        }
        target[offset] = (byte) next;
        return 1;
    }
}
