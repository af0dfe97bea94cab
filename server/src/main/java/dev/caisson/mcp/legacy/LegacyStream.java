package dev.caisson.mcp.legacy;

import dev.caisson.call.StreamEnd;
import dev.caisson.http.OutStream;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.http.SseWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Stream of a legacy session: a log of events, and a connection that reads it or none at the
/// moment. A client that lost its connection, or was sent away, takes the rest when it comes back.
///
/// Events are called `<stream>-<number>`, so an id says of which stream it is. The log is bounded:
/// beyond its limits the oldest events go, and never the newest, which at the end is the answer.
/// Only when all streams together hold too much a log is given up as a whole.
public final class LegacyStream implements SseWriter {
    private static final byte[] ALIVE = SseWriter.comment("alive");
    private static final byte[] NOTHING = new byte[0];

    @SuppressWarnings("ArrayRecordComponent") // Events are never compared.
    private record Event(long number, byte[] frame) {}

    private final String key;
    private final McpLimits limits;
    private final ReplayBudget replay;
    private final boolean primed;
    private final Deque<Event> log = new ArrayDeque<>();
    private long last;
    private int bytes;
    private boolean ended;
    private long endedAt;
    private @Nullable OutStream reader;

    /// @param primed whether a reader first gets an empty event, from which it can come back
    public LegacyStream(String key, McpLimits limits, ReplayBudget replay, boolean primed) {
        this.key = key;
        this.limits = limits;
        this.replay = replay;
        this.primed = primed;
    }

    /// Gives the stream its first reader.
    synchronized void attach(OutStream out) {
        replaceReader(out);
        if (primed) {
            out.write(SseWriter.frame(head(0), NOTHING));
        }
    }

    /// Gives the stream a reader that has everything up to an event.
    public synchronized void resume(OutStream out, long after) {
        replaceReader(out);
        for (var event : log) {
            if (event.number() > after) {
                out.write(event.frame());
            }
        }
        if (ended) {
            out.close();
        }
    }

    private void replaceReader(OutStream out) {
        if (reader != null) {
            reader.close();
        }
        reader = out;
    }

    private String head(long number) {
        return "id: " + key + "-" + number + "\n";
    }

    /// Keeps the event, and hands it to the reader if there is one.
    @Override
    public boolean event(byte[] json) {
        var kept = keep(json);
        replay.relieve();
        return kept;
    }

    private synchronized boolean keep(byte[] json) {
        if (ended) {
            return false;
        }
        last++;
        var event = new Event(last, SseWriter.frame("event: message\n" + head(last), json));
        log.add(event);
        count(event.frame().length);
        while (log.size() > 1
                && (log.size() > limits.replay().streamEvents()
                        || bytes > limits.replay().streamBytes())) {
            count(-log.remove().frame().length);
        }
        if (reader != null) {
            reader.write(event.frame());
        }
        return true;
    }

    private void count(int more) {
        bytes += more;
        replay.take(more);
    }

    @Override
    public synchronized void beat() {
        if (reader != null) {
            reader.write(ALIVE);
        }
    }

    @Override
    public synchronized void release(Duration retryAfter) {
        if (reader != null && primed) {
            var retry = "retry: " + retryAfter.toMillis() + "\n\n";
            reader.write(retry.getBytes(StandardCharsets.US_ASCII));
            reader.close();
            reader = null;
        }
    }

    @Override
    public synchronized void end() {
        ended = true;
        endedAt = System.nanoTime();
        if (reader != null) {
            reader.close();
        }
    }

    @Override
    public synchronized void end(StreamEnd why) {
        if (reader != null) {
            reader.closeFor(why);
        }
        end();
    }

    /// Gives up what it kept for readers that come back.
    synchronized void forget() {
        log.clear();
        count(-bytes);
    }

    /// Whether it has been over for a time.
    synchronized boolean overSince(Duration time) {
        return ended && System.nanoTime() - endedAt >= time.toNanos();
    }

    /// Whether somebody reads it now.
    synchronized boolean read() {
        return reader != null && reader.isOpen();
    }

    synchronized boolean over() {
        return ended;
    }
}
