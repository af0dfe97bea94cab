package dev.caisson.output;

import dev.caisson.json.JsonCopy;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.share.CallerWorkers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;

/// Stores the value of an execution beside its output: compact JSON whose strings are redacted one
/// by one, as they are in an answer. It is there whole or not at all.
final class ValueStore {
    /// The name of its file.
    static final String DATA = "data";

    private final Path directory;
    private final long bytesMax;
    private final Redactor redactor;

    ValueStore(Path directory, long bytesMax, Redactor redactor) {
        this.directory = directory;
        this.bytesMax = bytesMax;
        this.redactor = redactor;
    }

    /// @param json is closed
    KeptValue keep(InputStream json, CallerWorkers computing) throws InterruptedException {
        var file = new BoundedFile(new SpoolFile(directory, DATA), bytesMax);
        var kept = false;
        try {
            copy(json, file, computing);
            kept = true;
            return new KeptValue.Stored(file.written);
        } catch (JacksonException failed) {
            return file.why();
        } finally {
            if (!kept) {
                discard();
            }
        }
    }

    private void copy(InputStream json, OutputStream file, CallerWorkers computing)
            throws InterruptedException {
        try (var copy =
                JsonCopy.of(json, file, redactor::text, redactor::number, HandedOver.DEPTH_MAX)) {
            computing.runAll(copy::next);
        }
    }

    private void discard() {
        try {
            Files.deleteIfExists(directory.resolve(DATA));
        } catch (IOException e) {
            throw new UncheckedIOException("a part of a value cannot be removed", e);
        }
    }

    /// A file that takes no more than the limit, and knows why it took no more.
    private static final class BoundedFile extends OutputStream {
        private final OutputStream file;
        private final long bytesMax;
        private long written;
        private boolean full;
        private boolean broken;

        BoundedFile(OutputStream file, long bytesMax) {
            this.file = file;
            this.bytesMax = bytesMax;
        }

        KeptValue why() {
            if (full) {
                return new KeptValue.TooLarge();
            }
            return broken ? new KeptValue.NotStored() : new KeptValue.NotJson();
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (written + length > bytesMax) {
                full = true;
                throw new IOException("the value is too large");
            }
            try {
                file.write(bytes, offset, length);
                written += length;
            } catch (IOException e) {
                broken = true;
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
