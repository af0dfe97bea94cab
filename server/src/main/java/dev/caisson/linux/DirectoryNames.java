package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.PathCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Names in an open directory, as the kernel hands them out: some at a time, so that whoever reads
/// a large one can pause. Each time may be on another thread.
public final class DirectoryNames implements AutoCloseable {
    private static final int BUFFER_BYTES = 32 << 10;

    private static final int LENGTH_AT = 16;
    private static final int TYPE_AT = 18;
    private static final int NAME_AT = 19;
    private static final int TYPE_UNKNOWN = 0;
    private static final int TYPE_DIRECTORY = 4;
    private static final int TYPE_FILE = 8;

    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    /// @param descriptor of an open directory, which is closed with this
    DirectoryNames(int descriptor) {
        this.descriptor = descriptor;
    }

    /// A name, and what the directory says it stands for.
    ///
    /// @param mayBeDirectory false when it is none for sure; not every file system says
    /// @param mayBeFile the same of a regular file
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Name(byte[] name, boolean mayBeDirectory, boolean mayBeFile) {}

    /// @return empty at the end
    public List<Name> next() {
        try (var calls = new PathCalls();
                var arena = Arena.ofConfined()) {
            var buffer = arena.allocate(BUFFER_BYTES, 8);
            for (int filled = calls.entries(descriptor, buffer);
                    filled > 0;
                    filled = calls.entries(descriptor, buffer)) {
                var names = read(buffer, filled);
                if (!names.isEmpty()) {
                    return names;
                }
            }
            return List.of();
        }
    }

    private static List<Name> read(MemorySegment buffer, int filled) {
        var names = new ArrayList<Name>();
        for (int at = 0; at < filled; ) {
            int length = Short.toUnsignedInt(buffer.get(JAVA_SHORT, at + LENGTH_AT));
            var name = name(buffer, at + NAME_AT, at + length);
            if (!isSelfOrParent(name)) {
                int type = buffer.get(JAVA_BYTE, at + TYPE_AT);
                names.add(
                        new Name(
                                name,
                                type == TYPE_DIRECTORY || type == TYPE_UNKNOWN,
                                type == TYPE_FILE || type == TYPE_UNKNOWN));
            }
            at += length;
        }
        return names;
    }

    private static byte[] name(MemorySegment buffer, int from, int to) {
        int end = from;
        while (end < to && buffer.get(JAVA_BYTE, end) != 0) {
            end++;
        }
        return buffer.asSlice(from, end - from).toArray(JAVA_BYTE);
    }

    private static boolean isSelfOrParent(byte[] name) {
        return name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'));
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}
