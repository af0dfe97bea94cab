package dev.caisson.storage;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/// Tells how many bytes went through.
final class CountingStream extends FilterOutputStream {
    private final LongConsumer counted;

    CountingStream(OutputStream to, LongConsumer counted) {
        super(to);
        this.counted = counted;
    }

    @Override
    public void write(int one) throws IOException {
        out.write(one);
        counted.accept(1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        counted.accept(length);
    }
}
