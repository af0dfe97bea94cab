package dev.caisson.http;

import dev.caisson.call.StreamEnd;
import dev.caisson.share.GrowingShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/// Jetty implementation of [OutStream]: an open answer. At most one write is under way; what is
/// written meanwhile waits in a queue and goes out in one piece when its turn comes.
///
/// A stream whose reader is more than the limit behind is closed by the next write, so it never
/// holds more than the limit and one message.
final class JettyStream implements OutStream, Callback {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private enum State {
        OPEN,
        /// No more is accepted; what is queued still goes out.
        CLOSING,
        /// The write that ends the answer is under way.
        LAST,
        OVER
    }

    private final Response response;
    private final int bufferBytesMax;
    private final Memory memory;
    private final Callback request;
    private final ObjLongConsumer<JettyStream> whenOver;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>(1);
    private final List<Runnable> closeListeners = new ArrayList<>(1);
    private State state = State.OPEN;
    private Function<StreamEnd, byte[]> lastWord = _ -> new byte[0];
    private boolean wholeOrNothing;

    /// Whether a write is under way; from the beginning the one of the head.
    private boolean writing = true;

    /// Whether a thread is in [#proceed]. A write that ends while it is asked for is followed by
    /// the next from there, and not from within itself, which would take more and more of the
    /// stack.
    private boolean proceeding;

    private int heldBytes;
    private int writingBytes;
    private long sentBytes;

    /// @param request told at the end, which completes the request
    /// @param whenOver told once at the end, with the bytes sent, before the close listeners
    JettyStream(
            Response response,
            int bufferBytesMax,
            Memory memory,
            Callback request,
            ObjLongConsumer<JettyStream> whenOver) {
        this.response = response;
        this.bufferBytesMax = bufferBytesMax;
        this.memory = memory;
        this.request = request;
        this.whenOver = whenOver;
    }

    /// What a stream takes for bytes that wait.
    ///
    /// @param counted how much of that many waiting bytes is counted
    record Memory(GrowingShare portion, LongUnaryOperator counted) {
        boolean tryHold(long bytes) {
            return portion.tryResize(counted.applyAsLong(bytes));
        }
    }

    private record Write(boolean last, ByteBuffer bytes) {}

    /// Sends the status and the headers.
    void start() {
        response.write(false, NOTHING, this);
    }

    @Override
    public boolean write(byte[] bytes) {
        boolean behind;
        synchronized (this) {
            if (state != State.OPEN) {
                return false;
            }
            behind = heldBytes > bufferBytesMax || !memory.tryHold((long) heldBytes + bytes.length);
            if (!behind) {
                queue.add(bytes);
                heldBytes += bytes.length;
            }
        }
        if (behind) {
            abort("the reader is too far behind");
            return false;
        }
        proceed();
        return true;
    }

    @Override
    public synchronized boolean awaitHeld(int bytesMax) throws InterruptedException {
        while (heldBytes > bytesMax && state != State.OVER) {
            wait();
        }
        return state == State.OPEN;
    }

    @Override
    public boolean awaitHeld(int bytesMax, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        synchronized (this) {
            for (long left = atMost.toNanos();
                    heldBytes > bytesMax && state != State.OVER && left > 0;
                    left = deadline - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            if (heldBytes <= bytesMax || state == State.OVER) {
                return state == State.OPEN;
            }
        }
        abort("the reader takes too long");
        return false;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            state = State.CLOSING;
        }
        proceed();
    }

    @Override
    public synchronized void wholeOrNothing() {
        wholeOrNothing = true;
    }

    /// Nothing is written between the last word and the end.
    @Override
    public void closeFor(StreamEnd why) {
        if (isCutShort()) {
            abort(why.sentence());
            return;
        }
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            var last = lastWord.apply(why);
            if (last.length > 0 && memory.tryHold((long) heldBytes + last.length)) {
                queue.add(last);
                heldBytes += last.length;
            }
            state = State.CLOSING;
        }
        proceed();
    }

    private synchronized boolean isCutShort() {
        return wholeOrNothing && state == State.OPEN;
    }

    @Override
    public synchronized void lastWord(Function<StreamEnd, byte[]> words) {
        lastWord = words;
    }

    @Override
    public synchronized boolean isOpen() {
        return state == State.OPEN;
    }

    @Override
    public void onClose(Runnable listener) {
        synchronized (this) {
            if (state != State.OVER) {
                closeListeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    /// Gives the connection up, so that the client sees that the answer is not complete.
    void abort(String why) {
        var failure = new IOException(why);
        // Also fails a write that is under way, which Jetty otherwise waits for.
        response.getRequest().getConnectionMetaData().getConnection().getEndPoint().close(failure);
        end(failure);
    }

    /// Writes as long as no write is under way and there is something to write.
    private void proceed() {
        synchronized (this) {
            if (proceeding) {
                return;
            }
            proceeding = true;
        }
        for (var next = takeNext(); next.isPresent(); next = takeNext()) {
            response.write(next.get().last(), next.get().bytes(), this);
        }
    }

    /// @return empty when [#proceed] has nothing to do for now
    private synchronized Optional<Write> takeNext() {
        var last = state == State.CLOSING;
        if (writing || state == State.OVER || (queue.isEmpty() && !last)) {
            proceeding = false;
            return Optional.empty();
        }
        writing = true;
        if (last) {
            state = State.LAST;
        }
        return Optional.of(new Write(last, takeQueued()));
    }

    private ByteBuffer takeQueued() {
        writingBytes = heldBytes;
        if (queue.size() == 1) {
            return ByteBuffer.wrap(queue.remove());
        }
        var together = ByteBuffer.allocate(heldBytes);
        queue.forEach(together::put);
        queue.clear();
        return together.flip();
    }

    @Override
    public void succeeded() {
        boolean ended;
        synchronized (this) {
            writing = false;
            heldBytes -= writingBytes;
            sentBytes += writingBytes;
            writingBytes = 0;
            memory.tryHold(heldBytes);
            notifyAll();
            ended = state == State.LAST;
        }
        if (ended) {
            end(null);
        } else {
            proceed();
        }
    }

    @Override
    public void failed(Throwable failure) {
        end(failure);
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    private void end(@Nullable Throwable failure) {
        List<Runnable> listeners;
        long sent;
        synchronized (this) {
            if (state == State.OVER) {
                return;
            }
            state = State.OVER;
            notifyAll();
            queue.clear();
            sent = sentBytes;
            listeners = List.copyOf(closeListeners);
            closeListeners.clear();
        }
        memory.portion().close();
        whenOver.accept(this, sent);
        if (failure == null) {
            request.succeeded();
        } else {
            request.failed(failure);
        }
        listeners.forEach(Runnable::run);
    }
}
