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
}
