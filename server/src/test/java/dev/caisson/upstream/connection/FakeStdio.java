package dev.caisson.upstream.connection;

import dev.caisson.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// A [FakeUpstream] behind two pipes, as a process would be.
final class FakeStdio implements StdioProcess {
    private static final int BUFFER = 1 << 20;

    private final PipedInputStream fromClient = new PipedInputStream(BUFFER);
    private final PipedOutputStream in;
    private final PipedInputStream out = new PipedInputStream(BUFFER);
    private final PipedOutputStream toClient;
    private final FakeUpstream upstream;
    private final Thread thread;
    private final BlockingQueue<byte[]> lines = new LinkedBlockingQueue<>();
    private final AtomicInteger stopped = new AtomicInteger();

    FakeStdio(FakeUpstream upstream) {
        this.upstream = upstream;
        try {
            in = new PipedOutputStream(fromClient);
            toClient = new PipedOutputStream(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        thread = Thread.ofPlatform().daemon().name("fake").start(this::serve);
        Thread.ofPlatform().daemon().name("fake-out").start(this::write);
    }

    private void serve() {
        try (var in = fromClient) {
            var line = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    upstream.take((ObjectNode) Json.parse(line.toString()), this::send);
                    line.setLength(0);
                } else {
                    line.append((char) next);
                }
            }
        } catch (IOException | InterruptedException gone) {
            // As a process ends.
        } finally {
            lines.add(new byte[0]);
        }
    }

    @Override
    public String recentErrors() {
        return "";
    }

    private void send(byte[] message) {
        lines.add(message);
    }

    /// One thread alone: a pipe of Java breaks when the thread that wrote last has ended.
    private void write() {
        try (toClient) {
            for (var line = lines.take(); line.length > 0; line = lines.take()) {
                toClient.write(line);
                toClient.write('\n');
                toClient.flush();
            }
        } catch (IOException | InterruptedException gone) {
            // As a process ends.
        }
    }

    int stopped() {
        return stopped.get();
    }

    @Override
    public OutputStream in() {
        return in;
    }

    @Override
    public InputStream out() {
        return out;
    }

    @Override
    public void stop() {
        stopped.incrementAndGet();
        thread.interrupt();
    }
}
