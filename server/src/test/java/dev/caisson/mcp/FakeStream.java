package dev.caisson.mcp;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// A stream that keeps what was written, and can be lost.
public final class FakeStream implements OutStream {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final List<Runnable> listeners = new ArrayList<>();
    private Function<StreamEnd, byte[]> words = _ -> new byte[0];
    private boolean open = true;

    @Override
    public synchronized boolean write(byte[] bytes) {
        if (open) {
            written.writeBytes(bytes);
        }
        return open;
    }

    @Override
    public synchronized boolean awaitHeld(int bytesMax) {
        return open;
    }

    @Override
    public synchronized boolean awaitHeld(int bytesMax, Duration atMost) {
        return open;
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            listeners.forEach(Runnable::run);
        }
    }

    @Override
    public synchronized void closeFor(StreamEnd why) {
        write(words.apply(why));
        close();
    }

    @Override
    public synchronized void lastWord(Function<StreamEnd, byte[]> said) {
        words = said;
    }

    @Override
    public void wholeOrNothing() {}

    @Override
    public synchronized boolean isOpen() {
        return open;
    }

    @Override
    public synchronized void onClose(Runnable listener) {
        listeners.add(listener);
        if (!open) {
            listener.run();
        }
    }

    public synchronized String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
