package dev.caisson.output;

import java.util.Arrays;
import java.util.Optional;

/// The last line of a stream that is not blank.
public sealed interface LastLine {
    final class Found implements LastLine {
        private final byte[] line;

        private Found(byte[] line) {
            this.line = line;
        }

        public byte[] bytes() {
            return line.clone();
        }
    }

    /// Nothing was written, or nothing but blank lines.
    record Missing() implements LastLine {}

    /// It begins before what is looked at.
    record TooLong() implements LastLine {}

    /// @param end of the stream
    /// @param whole whether that is all of it
    static LastLine of(byte[] end, boolean whole) {
        var to = end.length;
        while (to > 0 && isBlank(end[to - 1])) {
            to--;
        }
        if (to == 0) {
            return whole ? new Missing() : new TooLong();
        }
        var from = start(end, to, whole);
        return from.isPresent()
                ? new Found(Arrays.copyOfRange(end, from.get(), to))
                : new TooLong();
    }

    private static Optional<Integer> start(byte[] end, int to, boolean whole) {
        for (var at = to - 1; at >= 0; at--) {
            if (end[at] == '\n') {
                return Optional.of(at + 1);
            }
        }
        return whole ? Optional.of(0) : Optional.empty();
    }

    private static boolean isBlank(byte one) {
        return one == '\n' || one == '\r' || one == ' ' || one == '\t';
    }
}
