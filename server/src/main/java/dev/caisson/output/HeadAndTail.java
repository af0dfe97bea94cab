package dev.caisson.output;

import java.util.Arrays;

/// The beginning and the end of a stream of any length, in bounded memory. A short stream takes no
/// more than it has.
final class HeadAndTail {
    private final int headMax;
    private final int tailMax;
    private byte[] head = new byte[0];
    private int headLength;
    private byte[] ring = new byte[0];
    private long total;

    /// @param tailMax at most `headMax`
    HeadAndTail(int headMax, int tailMax) {
        this.headMax = headMax;
        this.tailMax = tailMax;
    }

    void add(byte[] bytes, int offset, int length) {
        var toHead = Math.min(length, headMax - headLength);
        growHead(headLength + toHead);
        System.arraycopy(bytes, offset, head, headLength, toHead);
        headLength += toHead;
        total += toHead;
        if (toHead < length) {
            startRing();
            addToRing(bytes, offset + toHead, length - toHead);
        }
    }

    long total() {
        return total;
    }

    /// The first bytes; the whole stream when it is not longer than this.
    byte[] head() {
        return Arrays.copyOf(head, headLength);
    }

    /// The last bytes, as many as are kept.
    byte[] tail() {
        if (ring.length == 0) {
            return Arrays.copyOfRange(head, Math.max(0, headLength - tailMax), headLength);
        }
        var split = (int) (total % tailMax);
        var tail = new byte[tailMax];
        System.arraycopy(ring, split, tail, 0, tailMax - split);
        System.arraycopy(ring, 0, tail, tailMax - split, split);
        return tail;
    }

    private void growHead(int needed) {
        if (needed > head.length) {
            head = Arrays.copyOf(head, Math.min(headMax, Math.max(needed, 2 * head.length)));
        }
    }

    private void startRing() {
        if (ring.length == 0) {
            ring = new byte[tailMax];
            total -= tailMax;
            addToRing(head, headLength - tailMax, tailMax);
        }
    }

    /// The byte at place n of the stream stands at n modulo the ring's length.
    private void addToRing(byte[] bytes, int offset, int length) {
        var skipped = Math.max(0, length - tailMax);
        total += skipped;
        var at = (int) (total % tailMax);
        var first = Math.min(length - skipped, tailMax - at);
        System.arraycopy(bytes, offset + skipped, ring, at, first);
        System.arraycopy(bytes, offset + skipped + first, ring, 0, length - skipped - first);
        total += length - skipped;
    }
}
