package dev.caisson.redact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// Streaming redactor: takes exact values out of a stream of bytes, wherever its chunks end.
///
/// Automata know how much of any value the stream ends with right now. Just those bytes are held
/// back, so nothing waits that could not be the beginning of a secret, memory is bounded by the
/// longest value, and time is linear, however many values there are. A value inside a longer one
/// waits with it, so that nothing of the longer one is seen when it comes to its end.
public final class StreamScrubber {
    static final String NAME = "secret";
    private static final byte[] REPLACEMENT =
            new SecretSpan(0, 0, NAME).replacement().getBytes(StandardCharsets.UTF_8);

    /// Where clean bytes go. Must not keep the array.
    public interface Output {
        void write(byte[] bytes, int offset, int length);
    }

    /// A stretch of the stream that must not be seen. Those that overlap are one.
    ///
    /// @param isReplaced whether the replacement was put out
    private record Struck(long from, long to, boolean isReplaced) {}

    private final List<AhoCorasick> automata;
    private final Output output;
    private final Runnable onHit;

    /// Of each automaton.
    private final int[] states;

    /// Bytes that may be part of a secret; the last of the stream so far.
    private byte[] held;

    private int heldLength;

    /// How many bytes came before those held.
    private long released;

    /// In the order of the stream, without overlap; none ends before the bytes held.
    private final Deque<Struck> struck = new ArrayDeque<>();

    /// @param automata of the values, whose units are their bytes; none where there is no value
    StreamScrubber(List<AhoCorasick> automata, Output output, Runnable onHit) {
        this.automata = automata;
        this.states = new int[automata.size()];
        this.output = output;
        this.onHit = onHit;
        this.held = new byte[automata.isEmpty() ? 0 : 8192];
    }

    public void write(byte[] bytes, int offset, int length) {
        if (automata.isEmpty()) {
            output.write(bytes, offset, length);
            return;
        }
        for (var at = offset; at < offset + length; at++) {
            accept(bytes[at]);
        }
        release(unsettled());
    }

    /// The stream is over: what was held back is no secret after all.
    public void end() {
        release(0);
    }

    private void accept(byte one) {
        if (heldLength == held.length) {
            release(unsettled());
            growIfFull();
        }
        held[heldLength++] = one;
        var complete = 0;
        for (var each = 0; each < states.length; each++) {
            var automaton = automata.get(each);
            states[each] = automaton.next(states[each], (char) (one & 0xff));
            complete = Math.max(complete, automaton.complete(states[each]));
        }
        if (complete > 0) {
            var end = released + heldLength;
            strike(end - complete, end);
        }
    }

    /// How many bytes at the end may be the beginning of a value.
    private int unsettled() {
        var most = 0;
        for (var each = 0; each < states.length; each++) {
            most = Math.max(most, automata.get(each).unsettled(states[each]));
        }
        return most;
    }

    private void strike(long from, long to) {
        var start = from;
        var isReplaced = false;
        while (!struck.isEmpty() && struck.getLast().to() > from) {
            var before = struck.removeLast();
            start = Math.min(start, before.from());
            isReplaced |= before.isReplaced();
        }
        struck.addLast(new Struck(start, to, isReplaced));
    }

    /// Puts out all that is held but the last `keep` bytes.
    private void release(int keep) {
        var until = released + heldLength - Math.min(keep, heldLength);
        var at = released;
        while (!struck.isEmpty() && struck.getFirst().from() < until) {
            var next = struck.removeFirst();
            put(at, next.from());
            replace(next);
            at = Math.max(at, Math.min(next.to(), until));
            if (next.to() > until) {
                struck.addFirst(new Struck(next.from(), next.to(), true));
                break;
            }
        }
        put(at, until);
        heldLength -= (int) (until - released);
        System.arraycopy(held, (int) (until - released), held, 0, heldLength);
        released = until;
    }

    private void put(long from, long to) {
        if (from < to) {
            output.write(held, (int) (from - released), (int) (to - from));
        }
    }

    private void replace(Struck stretch) {
        if (!stretch.isReplaced()) {
            output.write(REPLACEMENT, 0, REPLACEMENT.length);
            onHit.run();
        }
    }

    private void growIfFull() {
        if (heldLength == held.length) {
            held = Arrays.copyOf(held, held.length * 2);
        }
    }
}
