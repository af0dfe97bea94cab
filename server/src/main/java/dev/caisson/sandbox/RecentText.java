package dev.caisson.sandbox;

import java.nio.charset.StandardCharsets;

/// The last bytes of a stream, up to a limit.
final class RecentText {
    private final byte[] ring;
    private long written;

    RecentText(int bytesMax) {
        ring = new byte[bytesMax];
    }

    synchronized void add(byte[] bytes, int count) {
        for (int i = Math.max(0, count - ring.length); i < count; i++) {
            ring[(int) ((written + i) % ring.length)] = bytes[i];
        }
        written += count;
    }

    synchronized String text() {
        int length = (int) Math.min(written, ring.length);
        var last = new byte[length];
        for (int i = 0; i < length; i++) {
            last[i] = ring[(int) ((written - length + i) % ring.length)];
        }
        return new String(last, StandardCharsets.UTF_8);
    }
}
