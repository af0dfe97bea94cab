package dev.caisson.mcp.stdio;

import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.json.Json;
import dev.caisson.mcp.legacy.ClientChannel;
import dev.caisson.mcp.legacy.ClientChannels;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.LineReader;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import dev.caisson.rpc.RpcError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.node.ObjectNode;

/// MCP over stdin and stdout: one line per message, both eras in one process, and nothing but
/// messages on the output.
public final class StdioDoor {
    private final ClientChannels channels;
    private final LineReader lines;
    private final OutputStream out;

    public StdioDoor(ClientChannels channels, InputStream in, OutputStream out) {
        this.channels = channels;
        this.lines = new LineReader(in, channels.limits().lineBytes());
        this.out = out;
    }

    /// Serves until the input ends. Calls in flight then get a moment to finish, for a client that
    /// writes its requests and closes; the rest is stopped.
    public void serve(Caller caller) throws IOException, InterruptedException {
        try (var channel = channels.open(Door.STDIO, caller, Revision.NEWEST_LEGACY, this::send)) {
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                take(channel, line.get());
            }
            channel.drain(System.nanoTime() + channels.limits().drain().toNanos());
        }
    }

    private static void take(ClientChannel channel, LineReader.Line line) {
        switch (line) {
            case LineReader.Whole whole -> {
                try {
                    channel.take(IncomingMessage.read(whole.bytes()), () -> {});
                } catch (ProtocolError wrong) {
                    channel.refuse(wrong);
                }
            }
            case LineReader.TooLong tooLong ->
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
