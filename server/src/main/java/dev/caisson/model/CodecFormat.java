package dev.caisson.model;

import java.util.Locale;

/// Format in which entities are written as text.
public enum CodecFormat {
    JSON,
    MARKDOWN,
    CSV;

    /// As clients read it, such as `markdown`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
