package dev.caisson.door;

import dev.caisson.json.Json;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Frames of one connection, both ways: four bytes, big-endian, that say how long it is, and then
/// one JSON object in UTF-8. What is no frame ends the connection.
final class FrameChannel {
    private static final int HEAD = 4;

    /// Sent at a time: the channel makes a copy of what it is given, each time it can send a bit.
    private static final int SLICE = 1 << 18;

    private final SocketChannel channel;
    private final ByteBuffer head = ByteBuffer.allocate(HEAD);
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicLong unread;

    /// @param unread bytes that the program has yet to read, over all connections of its run
    FrameChannel(SocketChannel channel, AtomicLong unread) {
        this.channel = channel;
        this.unread = unread;
    }

    /// The next frame; empty at the end.
    ///
    /// @throws IOException for what is no frame, with the reason
    Optional<ObjectNode> read() throws IOException {
        head.clear();
        if (!fill(head)) {
            return Optional.empty();
        }
        int length = head.getInt(0);
        if (length < 2 || length > DoorSettings.FRAME_IN_MAX) {
            throw new IOException("a frame of " + Integer.toUnsignedString(length) + " bytes");
        }
        var body = ByteBuffer.allocate(length);
        if (!fill(body)) {
            throw new EOFException("half a frame");
        }
        try {
            if (Json.parseRequest(body.array()) instanceof ObjectNode frame) {
                return Optional.of(frame);
            }
            throw new IOException("a frame that is no object");
        } catch (JacksonException noJson) {
            throw new IOException("a frame that is no JSON", noJson);
        }
    }

    /// @return false when the connection ended before the first byte
    private boolean fill(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                if (bytes.position() == 0) {
                    return false;
                }
                throw new EOFException("half a frame");
            }
        }
        bytes.flip();
        return true;
    }

    /// Sends a frame, however long the other side takes to read it. When too much of its run waits
    /// to be read the connection is closed.
    ///
    /// @param frame of [DoorSettings#FRAME_OUT_MAX] bytes at most
    void write(byte[] frame) throws IOException {
        try {
            if (unread.addAndGet(frame.length) > DoorSettings.UNREAD_MAX) {
                channel.close();
                throw new IOException("its answers are not read");
            }
            writing.lock();
            try {
                send(ByteBuffer.allocate(HEAD).putInt(frame.length).flip());
                for (int from = 0; from < frame.length; from += SLICE) {
                    send(ByteBuffer.wrap(frame, from, Math.min(SLICE, frame.length - from)));
                }
            } finally {
                writing.unlock();
            }
        } finally {
            unread.addAndGet(-frame.length);
        }
    }

    private void send(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
