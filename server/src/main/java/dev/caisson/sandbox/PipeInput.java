package dev.caisson.sandbox;

import dev.caisson.linux.PipeEnd;
import java.io.InputStream;
import java.util.Arrays;

/// Input stream from a pipe of a sandbox, at its end when everyone inside is dead, whoever else may
/// hold the other end. Closed by the one who reads it.
final class PipeInput extends InputStream {
    private final PipeEnd pipe;
    private byte[] rest = new byte[0];
    private int at;

    PipeInput(PipeEnd pipe) {
        this.pipe = pipe;
    }

    @Override
    public int read() {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (at == rest.length && !fill()) {
            return -1;
        }
        int count = Math.min(length, rest.length - at);
        System.arraycopy(rest, at, into, offset, count);
        at += count;
        return count;
    }

    private boolean fill() {
        var next = new byte[PipeEnd.READ_BYTES_MAX];
        while (true) {
            pipe.await();
            int count = pipe.read(next);
            if (count < 0) {
                return false;
            }
            if (count > 0) {
                rest = Arrays.copyOf(next, count);
                at = 0;
                return true;
            }
        }
    }

    @Override
    public void close() {
        pipe.close();
    }
}
