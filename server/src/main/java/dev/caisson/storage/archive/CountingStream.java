package dev.caisson.storage.archive;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/// Output stream that counts the bytes that went through.
public final class CountingStream extends FilterOutputStream {
    private final LongConsumer counted;

    public CountingStream(OutputStream to, LongConsumer counted) {
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
