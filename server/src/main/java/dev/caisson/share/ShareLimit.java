package dev.caisson.share;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Share rule: how much of something finite one caller may hold.
///
/// The rule looks at what would be left: a caller may hold at most a fixed multiple of that. Alone
/// it ends at its part of the whole; several end at equal amounts below it; and those who come next
/// find something.
///
/// @param ofWhole what one caller alone may hold, more than 0 and at most 1, which is all
public record ShareLimit(
        @Key(
                        name = "shares.part",
                        initial = "0.75",
                        min = "0.01",
                        max = "1",
                        doc = "The most one key may have of what the server has to give at once.")
                double ofWhole) {
    /// Three quarters: one caller alone gets most of a machine, and a fourth of it answers others.
    public static final ShareLimit DEFAULT = Defaults.of(ShareLimit.class);

    public ShareLimit {
        if (!(ofWhole > 0 && ofWhole <= 1)) {
            throw new IllegalArgumentException("a part is more than 0 and at most 1");
        }
    }

    /// Whether a caller may hold this much when that much stays free.
    public boolean allows(long held, long free) {
        return held * (1 - ofWhole) <= free * ofWhole;
    }

    /// What one caller alone may hold; at least one.
    public long of(long whole) {
        return Math.max(1, (long) Math.floor(whole * ofWhole));
    }
}
