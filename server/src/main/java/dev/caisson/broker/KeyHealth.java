package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.telemetry.Metrics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import tools.jackson.databind.node.ObjectNode;

/// Health figures of API keys: the share of a key's last calls that failed, and how often it
/// repeats itself, as a model in a loop does. Only the keys that called last have numbers, so that
/// a server with many keys has no more of them than a dashboard can show.
final class KeyHealth {
    /// How many keys have numbers.
    static final int KEYS_MAX = 100;

    /// Of so many calls the share that failed is told.
    static final int ERROR_WINDOW = 100;

    /// So often the same call counts as a repetition, and every time after.
    static final int REPETITION_THRESHOLD = 3;

    static final Duration REPETITION_WINDOW = Duration.ofMinutes(10);

    /// How many calls of a key are compared with the next one.
    static final int COMPARED_MAX = 200;

    private final Metrics metrics;
    private final LongSupplier nanos;
    private final Map<String, Key> keys = new LinkedHashMap<>(16, 0.75f, true);

    /// @param nanos a time that never jumps
    KeyHealth(Metrics metrics, LongSupplier nanos) {
        this.metrics = metrics;
        this.nanos = nanos;
    }

    /// A call is over.
    ///
    /// @param tool its own name, or a word for one that is not there
    void note(Caller caller, String tool, ObjectNode arguments, boolean failed) {
        note(caller.id(), new Seen(tool, arguments.hashCode(), nanos.getAsLong()), failed);
    }

    private synchronized void note(String id, Seen call, boolean failed) {
        var key = keys.computeIfAbsent(id, _ -> new Key());
        metrics.keyErrorRate().labelValues(id).set(key.errorRate(failed));
        if (key.isRepetition(call)) {
            metrics.keyRepetitions().labelValues(id).inc();
        }
        if (keys.size() > KEYS_MAX) {
            forgetEldest();
        }
    }

    private void forgetEldest() {
        var eldest = keys.keySet().iterator().next();
        keys.remove(eldest);
        metrics.keyErrorRate().remove(eldest);
        metrics.keyRepetitions().remove(eldest);
    }

    /// @param arguments a hash of them: two that happen to share one cost nothing but a number
    private record Seen(String tool, int arguments, long at) {
        boolean isSame(Seen other) {
            return arguments == other.arguments && tool.equals(other.tool);
        }
    }

    private static final class Key {
        private final BitSet failures = new BitSet(ERROR_WINDOW);
        private final Deque<Seen> recent = new ArrayDeque<>();
        private long calls;

        double errorRate(boolean failed) {
            failures.set((int) (calls % ERROR_WINDOW), failed);
            calls++;
            return (double) failures.cardinality() / Math.min(calls, ERROR_WINDOW);
        }

        boolean isRepetition(Seen call) {
            while (!recent.isEmpty()
                    && (recent.size() >= COMPARED_MAX
                            || call.at() - recent.getFirst().at() > REPETITION_WINDOW.toNanos())) {
                recent.removeFirst();
            }
            recent.addLast(call);
            return recent.stream().filter(call::isSame).count() >= REPETITION_THRESHOLD;
        }
    }
}
