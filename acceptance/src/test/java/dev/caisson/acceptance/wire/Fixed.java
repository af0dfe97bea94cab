package dev.caisson.acceptance.wire;

import java.io.IOException;
import java.io.InputStream;

/// A body whose length was said beforehand.
final class Fixed extends InputStream {
    private final InputStream in;
    private long left;

    Fixed(InputStream in, long length) {
        this.in = in;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        if (left == 0) {
            return -1;
        }
        int next = in.read();
        if (next < 0) {
            throw new IOException("the body ended " + left + " bytes early");
        }
        left--;
        return next;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = in.read(target, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw new IOException("the body ended " + left + " bytes early");
        }
        left -= count;
        return count;
    }
}
