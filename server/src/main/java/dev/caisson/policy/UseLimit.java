package dev.caisson.policy;

import dev.caisson.config.Quantity;
import java.util.Optional;
import java.util.regex.Pattern;

/// Limit on how much each key may use of what a rule allows, such as `30/m`.
///
/// @param most in one period
/// @param text as it was written
record UseLimit(Kind kind, long most, Period period, String text) {
    /// The greatest number of calls in a period.
    static final long CALLS_MAX = 1_000_000_000;

    private static final Pattern WRITTEN =
            Pattern.compile("(?<most>[0-9A-Za-z.]{1,15})/(?<period>[mhd])");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,10}");

    /// What is limited.
    enum Kind {
        /// Calls in a short time; another try soon may be met.
        RATE,
        CALLS,
        /// Bytes of results, counted when they are there.
        RESULT_BYTES
    }

    /// @return empty when the text is none
    static Optional<UseLimit> parse(Kind kind, String text) {
        var written = WRITTEN.matcher(text);
        if (!written.matches()) {
            return Optional.empty();
        }
        var period = Period.of(written.group("period")).orElseThrow();
        return most(kind, written.group("most"))
                .map(most -> new UseLimit(kind, most, period, text));
    }

    private static Optional<Long> most(Kind kind, String text) {
        if (kind == Kind.RESULT_BYTES) {
            return Quantity.size(text, "1B", "1024TiB");
        }
        return Optional.of(text)
                .filter(digits -> NUMBER.matcher(digits).matches())
                .map(Long::parseLong)
                .filter(number -> number >= 1 && number <= CALLS_MAX);
    }
}
