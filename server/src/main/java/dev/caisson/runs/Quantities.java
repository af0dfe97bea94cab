package dev.caisson.runs;

import java.time.Duration;
import java.util.Locale;

/// Formatter of bytes, durations and numbers for people.
public final class Quantities {
    private Quantities() {}

    public static String duration(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + " s"
                : duration.toMillis() + " ms";
    }

    public static String bytes(long bytes) {
        if (bytes >= 1 << 30 && bytes % (1 << 30) == 0) {
            return (bytes >> 30) + " GiB";
        }
        if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        if (bytes >= 1 << 10 && bytes % (1 << 10) == 0) {
            return (bytes >> 10) + " KiB";
        }
        return number(bytes) + " bytes";
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
