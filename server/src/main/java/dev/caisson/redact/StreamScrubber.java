package dev.caisson.redact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Takes exact values out of a stream of bytes, wherever its chunks end.
///
/// Each value has an automaton that knows how much of the value the stream ends with right now.
/// Just those bytes are held back, so nothing waits that could not be the beginning of a secret,
/// memory is bounded by the longest value, and time is linear.
public final class StreamScrubber {
    static final String NAME = "secret";
    private static final byte[] REPLACEMENT =
            new Hit(0, 0, NAME).replacement().getBytes(StandardCharsets.UTF_8);

    /// Where clean bytes go. Must not keep the array.
    public interface Output {
        void write(byte[] bytes, int offset, int length);
    }

    private final List<Automaton> automata;
    private final Output output;
    private final Runnable onHit;

    /// Bytes that may be part of a secret; the last of the stream so far.
    private byte[] held;

    private int heldLength;

    /// Whether the last thing that was put out is a replacement, which a further overlapping secret
    /// then shares.
    private boolean justReplaced;

    StreamScrubber(List<String> values, Output output, Runnable onHit) {
        this.automata = values.stream().map(value -> new Automaton(bytesAsUnits(value))).toList();
        this.output = output;
        this.onHit = onHit;
        this.held = new byte[automata.isEmpty() ? 0 : 8192];
    }

    private static String bytesAsUnits(String value) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    public void write(byte[] bytes, int offset, int length) {
        if (automata.isEmpty()) {
            output.write(bytes, offset, length);
            return;
        }
        for (var at = offset; at < offset + length; at++) {
            accept(bytes[at]);
        }
        release(longestMatch());
    }

    /// The stream is over: what was held back is no secret after all.
    public void end() {
        release(0);
    }

    private void accept(byte one) {
        if (heldLength == held.length) {
            release(longestMatch());
            growIfFull();
        }
        held[heldLength++] = one;
        var complete = 0;
        for (var automaton : automata) {
            if (automaton.next((char) (one & 0xff))) {
                complete = Math.max(complete, automaton.length());
            }
        }
        if (complete > 0) {
            replace(complete);
        }
    }

    /// The last bytes held are a secret of this length; some of them may be gone already, as part
    /// of the secret before.
    private void replace(int length) {
        var overlaps = length > heldLength;
        release(Math.min(length, heldLength));
        heldLength = 0;
        if (!(overlaps && justReplaced)) {
            output.write(REPLACEMENT, 0, REPLACEMENT.length);
            onHit.run();
        }
        justReplaced = true;
    }

    private int longestMatch() {
        var longest = 0;
        for (var automaton : automata) {
            longest = Math.max(longest, automaton.matched());
        }
        return Math.min(longest, heldLength);
    }

    /// Puts out all that is held but the last `keep` bytes.
    private void release(int keep) {
        var free = heldLength - keep;
        if (free <= 0) {
            return;
        }
        output.write(held, 0, free);
        justReplaced = false;
        System.arraycopy(held, free, held, 0, keep);
        heldLength = keep;
    }

    private void growIfFull() {
        if (heldLength == held.length) {
            held = Arrays.copyOf(held, held.length * 2);
        }
    }
}
