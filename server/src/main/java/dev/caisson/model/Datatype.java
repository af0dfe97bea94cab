package dev.caisson.model;

import java.util.Locale;

/// Datatype of a slot.
public enum Datatype {
    /// A line or a few, at most [ValueForm#STRING_MAX] characters.
    STRING,
    /// Markdown of any length.
    TEXT,
    /// Of 64 bits.
    INTEGER,
    NUMBER,
    BOOLEAN,
    /// A day, such as `2026-01-31`.
    DATE,
    /// A moment in UTC, to the millisecond.
    DATETIME,
    UUID,
    URI,
    ENUM,
    /// Another entity.
    REF,
    /// A file of a thread or a volume.
    FILE,
    /// Any JSON, at most [ValueForm#JSON_BYTES_MAX] bytes.
    JSON;

    /// As clients read it, such as `datetime`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether values have an order, and bounds a meaning.
    boolean isOrdered() {
        return switch (this) {
            case INTEGER, NUMBER, DATE, DATETIME -> true;
            case STRING, TEXT, BOOLEAN, UUID, URI, ENUM, REF, FILE, JSON -> false;
        };
    }

    /// Whether a value is one short text in an index.
    boolean isIndexable() {
        return switch (this) {
            case STRING, INTEGER, NUMBER, BOOLEAN, DATE, DATETIME, UUID, URI, ENUM, REF -> true;
            case TEXT, FILE, JSON -> false;
        };
    }

    boolean isText() {
        return switch (this) {
            case STRING, TEXT, URI -> true;
            case INTEGER, NUMBER, BOOLEAN, DATE, DATETIME, UUID, ENUM, REF, FILE, JSON -> false;
        };
    }
}
