package dev.caisson.upstream.connection;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Era of the protocol that an upstream speaks, as it was found out. Who knows it need not ask.
public enum Era {
    /// Every request says all about itself.
    MODERN,
    /// A handshake comes first.
    LEGACY,
    /// The oldest transport over HTTP, with an address of its own for messages.
    SSE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Era> of(String word) {
        return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
    }
}
