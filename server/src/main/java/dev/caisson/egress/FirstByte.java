package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;

/// Input whose first byte is known before it is read.
final class FirstByte extends InputStream {
    private final InputStream in;
    private final int value;
    private boolean read;

    FirstByte(InputStream in) throws IOException {
        this.in = in;
        this.value = in.read();
    }

    /// Negative at the end.
    int value() {
        return value;
    }

    @Override
    public int read() throws IOException {
        if (!read) {
            read = true;
            return value;
        }
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (read || length == 0) {
            return in.read(bytes, offset, length);
        }
        int first = read();
        if (first < 0) {
            return -1;
        }
        bytes[offset] = (byte) first;
        return 1;
    }
}
