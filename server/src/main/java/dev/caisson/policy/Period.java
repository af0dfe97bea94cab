package dev.caisson.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/// Period in which the calls of a rule are counted: from one full minute, hour or midnight in UTC
/// to the next.
enum Period {
    MINUTE("m", Duration.ofMinutes(1)),
    HOUR("h", Duration.ofHours(1)),
    DAY("d", Duration.ofDays(1));

    private final String letter;
    private final Duration length;

    Period(String letter, Duration length) {
        this.letter = letter;
        this.length = length;
    }

    /// As rules have it, such as `m`.
    String letter() {
        return letter;
    }

    static Optional<Period> of(String letter) {
        return Arrays.stream(values()).filter(one -> one.letter.equals(letter)).findFirst();
    }

    /// When the period began that a moment is in, in milliseconds since 1970.
    long begin(Instant moment) {
        return Math.floorDiv(moment.toEpochMilli(), length.toMillis()) * length.toMillis();
    }

    /// When the next one begins.
    Instant end(Instant moment) {
        return Instant.ofEpochMilli(begin(moment)).plus(length);
    }
}
