package dev.caisson.upstream.connection;

import java.util.Locale;

/// State of the link to an upstream.
public enum LinkState {
    /// Nobody needs it now; the next call starts it.
    IDLE,
    STARTING,
    READY,
    /// It failed, and is tried again soon.
    BACKING_OFF,
    /// It failed again and again, and is left alone for a while.
    BROKEN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static LinkState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
