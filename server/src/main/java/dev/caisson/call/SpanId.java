package dev.caisson.call;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Span id: number of one stretch of work in a trace, 16 hexadecimal digits, as W3C Trace Context
/// has it.
public record SpanId(String value) {
    public SpanId {
        if (value.length() != 16) {
            throw new IllegalArgumentException("a span id has 16 hexadecimal digits");
        }
    }

    public static SpanId fresh() {
        return new SpanId(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1));
    }

    @Override
    public String toString() {
        return value;
    }
}
