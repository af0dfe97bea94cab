package dev.caisson.output;

import java.nio.ByteBuffer;

/// Small output of a run: both streams and their order as bytes, for which no file is made.
///
/// Its form is a byte 1, the lengths of stdout and stderr (4 bytes each, big-endian), stdout,
/// stderr, and as the rest the [StreamOrder].
@SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
record SmallOutput(byte[] stdout, byte[] stderr, byte[] timeline) {
    private static final byte VERSION = 1;
    private static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;

    boolean isEmpty() {
        return stdout.length + stderr.length == 0;
    }

    byte[] form() {
        return ByteBuffer.allocate(HEAD_BYTES + stdout.length + stderr.length + timeline.length)
                .put(VERSION)
                .putInt(stdout.length)
                .putInt(stderr.length)
                .put(stdout)
                .put(stderr)
                .put(timeline)
                .array();
    }

    /// @param form one of ours
    static SmallOutput read(byte[] form) {
        var buffer = ByteBuffer.wrap(form);
        if (buffer.get() != VERSION) {
            throw new IllegalStateException("output was stored by a newer version");
        }
        var stdout = new byte[buffer.getInt()];
        var stderr = new byte[buffer.getInt()];
        buffer.get(stdout).get(stderr);
        var timeline = new byte[buffer.remaining()];
        buffer.get(timeline);
        return new SmallOutput(stdout, stderr, timeline);
    }
}
