package dev.caisson.tools;

import java.util.Locale;

/// How an execution ended, in one word.
enum Status {
    SUCCESS,
    FAILED,
    TIMEOUT,
    OOM,
    CANCELLED,
    BLOCKED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
