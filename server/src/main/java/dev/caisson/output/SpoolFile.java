package dev.caisson.output;

import dev.caisson.storage.HashedNames;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;

/// A file that is made when the first byte comes. A plain stream and not a channel, because a
/// channel dies when the thread that uses it is interrupted.
final class SpoolFile extends OutputStream {
    private final Path directory;
    private final String name;
    private Optional<FileOutputStream> file = Optional.empty();

    SpoolFile(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        open().write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        if (file.isPresent()) {
            file.get().close();
        }
    }

    Path path() {
        return directory.resolve(name);
    }

    private FileOutputStream open() throws IOException {
        if (file.isEmpty()) {
            HashedNames.privateDirectory(directory);
            file = Optional.of(new FileOutputStream(path().toFile()));
        }
        return file.get();
    }
}
