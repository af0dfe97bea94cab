package dev.caisson.telemetry;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.util.ReentryGuard;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// Asynchronous log appender: writes lines on a thread of its own, many with one write, so that a
/// request neither waits for the terminal nor pays for the text.
///
/// When lines come faster than they can be written and the queue is full, new ones are dropped and
/// counted, and the count is the next line written: the log never stops the server and never hides
/// that something is missing.
final class LogAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    static final int QUEUE_MAX = 16 * 1024;

    private static final int BATCH_CHARS = 64 * 1024;

    /// A writer that has just written waits this long for more to come, so that under load nobody
    /// has to wake it.
    private static final long GATHER_NANOS = 5_000_000;

    private final OutputStream out;
    private final ConcurrentLinkedQueue<ILoggingEvent> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread writer = Thread.ofPlatform().daemon().name("log").unstarted(this::run);
    private final List<UnaryOperator<String>> redactions = new CopyOnWriteArrayList<>();
    private volatile LogFormat format;
    private volatile boolean asleep;
    private volatile boolean direct;

    LogAppender(OutputStream out, LogFormat format) {
        this.out = out;
        this.format = format;
    }

    /// From now on lines have this form.
    void format(LogFormat wanted) {
        format = wanted;
    }

    @Override
    public void start() {
        super.start();
        writer.start();
    }

    /// From now on what is said about faults passes through this.
    void redactedBy(UnaryOperator<String> redaction) {
        redactions.add(redaction);
    }

    /// Lines that are queued are written before.
    void noMoreRedactedBy(UnaryOperator<String> redaction) {
        writeQueued();
        redactions.remove(redaction);
    }

    /// Writes what is left.
    @Override
    public void stop() {
        super.stop();
        writeDirectly();
    }

    /// From now on a line is written before the logging call returns: for the time when the process
    /// ends and nobody knows how long the writer may still live.
    void writeDirectly() {
        direct = true;
        LockSupport.unpark(writer);
        writeQueued();
    }

    /// Writes what was logged before.
    void flush() {
        writeQueued();
    }

    /// Nothing in here logs, so no guard against that is needed.
    @Override
    protected ReentryGuard buildReentryGuard() {
        return new ReentryGuard.NOPRentryGuard();
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (queued.get() >= QUEUE_MAX) {
            dropped.incrementAndGet();
            return;
        }
        queued.incrementAndGet();
        queue.add(event);
        if (direct) {
            writeQueued();
        } else if (asleep) {
            LockSupport.unpark(writer);
        }
    }

    private void run() {
        while (!direct) {
            if (writeQueued()) {
                LockSupport.parkNanos(this, GATHER_NANOS);
            } else {
                sleep();
            }
        }
    }

    private void sleep() {
        asleep = true;
        if (queue.isEmpty() && !direct) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    /// @return whether there was anything
    private synchronized boolean writeQueued() {
        var batch = new StringBuilder();
        for (var event = queue.poll(); event != null; event = queue.poll()) {
            queued.decrementAndGet();
            batch.append(format.line(event, this::redacted));
            if (batch.length() >= BATCH_CHARS) {
                write(batch);
            }
        }
        long missing = dropped.getAndSet(0);
        if (missing > 0) {
            batch.append(format.dropped(missing));
        }
        boolean any = !batch.isEmpty();
        write(batch);
        return any;
    }

    private String redacted(String text) {
        var clean = text;
        for (var redaction : redactions) {
            clean = redaction.apply(clean);
        }
        return clean;
    }

    private void write(StringBuilder batch) {
        try {
            out.write(batch.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            addError("cannot write the log", e);
        }
        batch.setLength(0);
    }
}
