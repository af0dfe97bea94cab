package dev.caisson.actions;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongConsumer;

/// Output stream that tells how many bytes went through it.
final class NotedOutput extends FilterOutputStream {
    private final LongConsumer passed;

    NotedOutput(OutputStream to, LongConsumer passed) {
        super(to);
        this.passed = passed;
    }

    @Override
    public void write(int one) throws IOException {
        out.write(one);
        passed.accept(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        passed.accept(length);
    }

    /// Nothing is held here that would have to be flushed first: a stream that broke is not written
    /// to again.
    @Override
    public void close() throws IOException {
        out.close();
    }
}
