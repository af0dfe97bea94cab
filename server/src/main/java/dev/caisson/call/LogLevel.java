package dev.caisson.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Severities as syslog has them, from least to most severe.
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<LogLevel> of(String word) {
        return Arrays.stream(values()).filter(level -> level.word().equals(word)).findFirst();
    }
}
