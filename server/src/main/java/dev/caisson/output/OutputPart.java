package dev.caisson.output;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// One part of the stored output of a run: a file, or bytes in memory.
sealed interface OutputPart {
    boolean isThere();

    /// 0 when it is not there.
    long length();

    Reader open() throws IOException;

    /// As many of its bytes as there are, up to a length.
    default byte[] bytes(long offset, int length) {
        try (var reader = open()) {
            return reader.read(offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException("stored output cannot be read", e);
        }
    }

    /// Reader of a part, which stays readable when the part is removed.
    interface Reader extends Closeable {
        long length() throws IOException;

        /// As many bytes as there are, up to a length.
        byte[] read(long offset, int length) throws IOException;
    }

    record InFile(Path file) implements OutputPart {
        @Override
        public boolean isThere() {
            return Files.exists(file);
        }

        @Override
        public long length() {
            return file.toFile().length();
        }

        @Override
        public Reader open() throws IOException {
            return new FileReader(new RandomAccessFile(file.toFile(), "r"));
        }
    }

    record FileReader(RandomAccessFile file) implements Reader {
        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public byte[] read(long offset, int length) throws IOException {
            var bytes = new byte[(int) Math.max(0, Math.min(length, file.length() - offset))];
            file.seek(offset);
            file.readFully(bytes);
            return bytes;
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /// It is there when it has a byte, as a file is.
    @SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
    record InMemory(byte[] content) implements OutputPart, Reader {
        @Override
        public boolean isThere() {
            return content.length > 0;
        }

        @Override
        public long length() {
            return content.length;
        }

        @Override
        public Reader open() {
            return this;
        }

        @Override
        public byte[] read(long offset, int length) {
            var from = (int) Math.min(offset, content.length);
            return Arrays.copyOfRange(
                    content, from, from + Math.min(length, content.length - from));
        }

        @Override
        public void close() {}
    }
}
