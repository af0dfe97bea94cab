package dev.caisson.mcp.server;

import java.time.Duration;

/// Cache hint: how long a client may keep an answer, and whether it may share it.
///
/// Lists and what we say of ourselves are computed for the caller, so they are private to it.
public enum CacheHint {
    DISCOVERY(Duration.ofMinutes(5), "private"),
    LIST(Duration.ofSeconds(10), "private"),
    CONTENTS(Duration.ZERO, "private");

    private final Duration keep;
    private final String scope;

    CacheHint(Duration keep, String scope) {
        this.keep = keep;
        this.scope = scope;
    }

    long millis() {
        return keep.toMillis();
    }

    String scope() {
        return scope;
    }
}
