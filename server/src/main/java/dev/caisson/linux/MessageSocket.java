package dev.caisson.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.caisson.linux.calls.Kernel;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Message socket: one end of a connected pair that keeps messages apart and carries descriptors.
/// Used by one thread at a time, which is no virtual one.
public final class MessageSocket implements AutoCloseable {
    private static final int DESCRIPTORS_MAX = 16;
    private static final int MESSAGE_BYTES_MAX = 4_096;

    /// Of `msghdr`: name, its length, buffers, their number, control, its length, flags.
    private static final long HEADER_BYTES = 56;

    private static final long CONTROL_HEADER_BYTES = 16;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final short POLLIN = 1;
    private static final int CUT = 0x20 | 0x8;

    private final Descriptor socket;

    private MessageSocket(Descriptor socket) {
        this.socket = socket;
    }

    /// Both ends: ours, and one for somebody else.
    public record Ends(MessageSocket ours, Descriptor theirs) {}

    public static Ends pair() {
        try (var arena = Arena.ofConfined()) {
            var ends = new Kernel(arena).socketPair();
            return new Ends(new MessageSocket(new Descriptor(ends[0])), new Descriptor(ends[1]));
        }
    }

    /// What came, with descriptors that are ours now.
    @SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
    public record Message(byte[] bytes, List<Descriptor> descriptors) {}

    /// Sends at once, or fails.
    public void send(byte[] bytes, List<Descriptor> descriptors) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var data = kernel.struct(bytes.length);
            MemorySegment.copy(bytes, 0, data, JAVA_BYTE, 0, bytes.length);
            var control = rights(kernel, descriptors);
            long sent = kernel.sendNow(socket.number(), header(kernel, data, control));
            if (sent != bytes.length) {
                throw new IOException("a message could not be sent: error " + -sent);
            }
        }
    }

    /// Waits for a message.
    ///
    /// @throws EOFException when there will be none
    /// @throws IOException when none came in time
    public Message receive(Duration atMost) throws IOException {
        long end = System.nanoTime() + atMost.toNanos();
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            var data = kernel.struct(MESSAGE_BYTES_MAX);
            var control = kernel.struct(CONTROL_HEADER_BYTES + DESCRIPTORS_MAX * 4L);
            var header = header(kernel, data, control);
            long count = kernel.receiveNow(socket.number(), header);
            while (-count == Errno.EAGAIN.number() || -count == Errno.EINTR.number()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left < 0) {
                    throw new IOException("no message came within " + atMost);
                }
                await(kernel, left + 1);
                count = kernel.receiveNow(socket.number(), header);
            }
            if (count <= 0) {
                throw new EOFException("nobody is at the other end");
            }
            var received = received(header, control);
            if ((header.get(JAVA_INT, 48) & CUT) != 0) {
                received.forEach(Descriptor::close);
                throw new IOException("a message was cut");
            }
            return new Message(data.asSlice(0, count).toArray(JAVA_BYTE), received);
        }
    }

    private void await(Kernel kernel, long millis) {
        var wanted = kernel.struct(8);
        wanted.set(JAVA_INT, 0, socket.number());
        wanted.set(JAVA_SHORT, 4, POLLIN);
        kernel.pollFor(wanted, 1, (int) millis);
    }

    private static MemorySegment header(Kernel kernel, MemorySegment data, MemorySegment control) {
        var buffer = kernel.struct(16);
        buffer.set(ADDRESS, 0, data);
        buffer.set(JAVA_LONG, 8, data.byteSize());
        var header = kernel.struct(HEADER_BYTES);
        header.set(ADDRESS, 16, buffer);
        header.set(JAVA_LONG, 24, 1);
        if (control.byteSize() > 0) {
            header.set(ADDRESS, 32, control);
            header.set(JAVA_LONG, 40, control.byteSize());
        }
        return header;
    }

    private static MemorySegment rights(Kernel kernel, List<Descriptor> descriptors) {
        if (descriptors.isEmpty()) {
            return MemorySegment.NULL;
        }
        long length = CONTROL_HEADER_BYTES + descriptors.size() * 4L;
        var control = kernel.struct((length + 7) / 8 * 8);
        control.set(JAVA_LONG, 0, length);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        for (int each = 0; each < descriptors.size(); each++) {
            control.set(JAVA_INT, CONTROL_HEADER_BYTES + each * 4L, descriptors.get(each).number());
        }
        return control;
    }

    private static List<Descriptor> received(MemorySegment header, MemorySegment control) {
        var all = new ArrayList<Descriptor>();
        if (header.get(JAVA_LONG, 40) >= CONTROL_HEADER_BYTES
                && control.get(JAVA_INT, 12) == SCM_RIGHTS) {
            long length = control.get(JAVA_LONG, 0);
            for (long at = CONTROL_HEADER_BYTES; at + 4 <= length; at += 4) {
                all.add(new Descriptor(control.get(JAVA_INT, at)));
            }
        }
        return all;
    }

    @Override
    public void close() {
        socket.close();
    }
}
