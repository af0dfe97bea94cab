package dev.caisson.mcp;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.node.ObjectNode;

/// MCP over stdin and stdout: one line per message, both eras in one process, and nothing but
/// messages on the output.
final class StdioDoor {
    private final Engine engine;
    private final Lines lines;
    private final OutputStream out;

    StdioDoor(Engine engine, InputStream in, OutputStream out) {
        this.engine = engine;
        this.lines = new Lines(in, engine.limits().lineBytes());
        this.out = out;
    }

    /// Serves until the input ends. Calls in flight then get a moment to finish, for a client that
    /// writes its requests and closes; the rest is stopped.
    void serve(Caller caller) throws IOException, InterruptedException {
        try (var channel =
                new Channel(Door.STDIO, caller, engine, Revision.NEWEST_LEGACY, this::send)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                take(channel, line.get());
            }
            channel.drain(System.nanoTime() + engine.limits().drain().toNanos());
        }
    }

    private static void take(Channel channel, Lines.Line line) {
        switch (line) {
            case Lines.Whole whole -> {
                try {
                    channel.take(Incoming.read(whole.bytes()), () -> {});
                } catch (ProtocolError wrong) {
                    channel.refuse(wrong);
                }
            }
            case Lines.TooLong tooLong ->
                    channel.refuse(
                            new ProtocolError(
                                    RpcError.INVALID_REQUEST,
                                    "A message may have " + tooLong.most() + " bytes at most",
                                    400));
        }
    }

    private boolean send(ObjectNode message) {
        var json = Json.bytes(message);
        synchronized (out) {
            try {
                out.write(json);
                out.write('\n');
                out.flush();
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException("the client has closed our output", e);
            }
        }
    }
}
