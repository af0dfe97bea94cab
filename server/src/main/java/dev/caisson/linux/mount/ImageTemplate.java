package dev.caisson.linux.mount;

import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Template of an image: an empty file system, kept as the few blocks of it that are not zero:
/// writing those to a sparse file is much faster than making it anew.
///
/// @param bytes the size of the whole
public record ImageTemplate(long bytes, List<Extent> extents) {
    record Extent(long offset, ByteBuffer data) {}

    public ImageTemplate {
        extents = List.copyOf(extents);
    }

    /// Reads what is in a sparse file.
    public static ImageTemplate of(Path image) throws IOException {
        var extents = new ArrayList<Extent>();
        try (var arena = Arena.ofConfined();
                var channel = FileChannel.open(image)) {
            var kernel = new Kernel(arena);
            int descriptor = kernel.open(image.toString(), Kernel.O_RDONLY);
            try {
                long start = kernel.nextData(descriptor, 0);
                while (start >= 0) {
                    long end = kernel.nextHole(descriptor, start);
                    extents.add(new Extent(start, read(channel, start, end)));
                    start = kernel.nextData(descriptor, end);
                }
            } finally {
                kernel.closeNow(descriptor);
            }
        }
        return new ImageTemplate(Files.size(image), extents);
    }

    private static ByteBuffer read(FileChannel channel, long start, long end) throws IOException {
        var buffer = ByteBuffer.allocate(Math.toIntExact(end - start));
        while (buffer.hasRemaining() && channel.read(buffer, start + buffer.position()) >= 0) {
            // Goes on until the extent is complete.
        }
        return buffer.flip().asReadOnlyBuffer();
    }

    /// Makes a new image.
    public void writeTo(Path image) throws IOException {
        try (var channel =
                FileChannel.open(
                        image,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.SPARSE,
                        StandardOpenOption.WRITE)) {
            for (var extent : extents) {
                var data = extent.data().duplicate();
                while (data.hasRemaining()) {
                    channel.write(data, extent.offset() + data.position());
                }
            }
            if (channel.size() < bytes) {
                channel.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
            }
        }
    }
}
