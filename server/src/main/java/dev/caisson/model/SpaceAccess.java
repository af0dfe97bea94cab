package dev.caisson.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Access to a space. Each level includes those before it.
public enum SpaceAccess {
    READ,
    WRITE,
    DEFINE;

    /// As clients read it, such as `write`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<SpaceAccess> of(String word) {
        return Arrays.stream(values()).filter(access -> access.word().equals(word)).findFirst();
    }

    public boolean includes(SpaceAccess other) {
        return compareTo(other) >= 0;
    }
}
