package dev.caisson.door;

import dev.caisson.json.Json;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// What a program speaks, well or badly.
final class FrameClient implements AutoCloseable {
    private final SocketChannel channel;
    private final DataInputStream in;

    FrameClient(SocketChannel channel, Duration patience) throws IOException {
        this.channel = channel;
        channel.socket().setSoTimeout((int) patience.toMillis());
        this.in = new DataInputStream(channel.socket().getInputStream());
    }

    void send(String json) throws IOException {
        var text = json.getBytes(StandardCharsets.UTF_8);
        raw(ByteBuffer.allocate(4 + text.length).putInt(text.length).put(text).array());
    }

    void raw(byte... bytes) throws IOException {
        channel.socket().getOutputStream().write(bytes);
    }

    JsonNode receive() throws IOException {
        var bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return Json.parse(bytes);
    }

    JsonNode ask(String json) throws IOException {
        send(json);
        return receive();
    }

    /// Whether the other side has closed the connection.
    boolean isClosed() throws IOException {
        try {
            in.readInt();
            return false;
        } catch (EOFException | java.net.SocketException closed) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
