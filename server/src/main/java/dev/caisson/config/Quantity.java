package dev.caisson.config;

import java.time.Duration;
import java.util.Optional;

/// Reader of sizes and durations outside the configuration, in the same units.
public final class Quantity {
    private Quantity() {}

    /// @return empty when the text is none, such as `10s`, or outside the range
    public static Optional<Duration> duration(String text, String min, String max) {
        return read(Types.duration(min, max), text);
    }

    /// @return empty when the text is none, such as `16MiB`, or outside the range
    public static Optional<Long> size(String text, String min, String max) {
        return read(Types.size(min, max), text);
    }

    private static <T> Optional<T> read(Type<T> type, String text) {
        try {
            return Optional.of(type.read(text.strip()));
        } catch (IllegalArgumentException | ArithmeticException _) {
            return Optional.empty();
        }
    }
}
