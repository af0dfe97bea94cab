package dev.caisson.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Spool of one run that goes on: its output is in memory as long as it is small, and in files from
/// then on. Used by one thread at a time.
final class RunSpool implements AutoCloseable {
    /// The output of a program that writes for longer is in files too, so that less of it is lost
    /// when the server dies.
    static final int MEMORY_MILLIS_MAX = 1000;

    private final Path directory;
    private final OutputMemory memory;
    private final List<Part> parts = new ArrayList<>();
    private long held;
    private boolean inFiles;

    RunSpool(Path directory, OutputMemory memory) {
        this.directory = directory;
        this.memory = memory;
    }

    Part part(String name) {
        var part = new Part(name);
        parts.add(part);
        return part;
    }

    boolean isInFiles() {
        return inFiles;
    }

    /// Whether so much more is sure to stay in memory. Half of the room is for the order in which
    /// it came, and for words in place of secrets.
    boolean staysInMemory(int bytes) {
        return !inFiles && held + bytes <= OutputMemory.RUN_BYTES_MAX / 2 && memory.hasRoom();
    }

    private boolean take(int bytes) {
        if (held + bytes > OutputMemory.RUN_BYTES_MAX || !memory.take(bytes)) {
            return false;
        }
        held += bytes;
        return true;
    }

    /// From now on everything is in files. If they cannot be written, what is in memory stays
    /// there.
    void moveToFiles() throws IOException {
        if (inFiles) {
            return;
        }
        try {
            for (var part : parts) {
                if (part.held.size() > 0) {
                    part.held.writeTo(part.file);
                }
            }
            inFiles = true;
        } catch (IOException failed) {
            for (var part : parts) {
                part.file.close();
                Files.deleteIfExists(part.file.path());
                part.file = new SpoolFile(directory, part.name);
            }
            throw failed;
        }
        forget();
    }

    /// Gives the memory back.
    private void forget() {
        parts.forEach(part -> part.held = new ByteArrayOutputStream(0));
        memory.giveBack(held);
        held = 0;
    }

    @Override
    public void close() throws IOException {
        forget();
        for (var part : parts) {
            part.file.close();
        }
    }

    /// One stream, or the order of both.
    final class Part extends OutputStream {
        private final String name;
        private ByteArrayOutputStream held = new ByteArrayOutputStream(0);
        private SpoolFile file;

        private Part(String name) {
            this.name = name;
            this.file = new SpoolFile(directory, name);
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!inFiles && !take(length)) {
                moveToFiles();
            }
            if (inFiles) {
                file.write(bytes, offset, length);
            } else {
                held.write(bytes, offset, length);
            }
        }

        /// What is in memory.
        byte[] held() {
            return held.toByteArray();
        }

        OutputPart stored() {
            return inFiles ? new OutputPart.InFile(file.path()) : new OutputPart.InMemory(held());
        }
    }
}
