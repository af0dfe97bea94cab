package dev.caisson.call;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Trace id: the number that ties together everything one call caused, 32 hexadecimal digits, as
/// W3C Trace Context has it.
public record TraceId(String value) {
    public TraceId {
        if (value.length() != 32) {
            throw new IllegalArgumentException("a trace id has 32 hexadecimal digits");
        }
    }

    public static TraceId fresh() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return new TraceId(
                hex.toHexDigits(random.nextLong() | 1) + hex.toHexDigits(random.nextLong()));
    }

    @Override
    public String toString() {
        return value;
    }
}
