package dev.caisson.call;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// The number that ties together everything one call caused: 32 hexadecimal digits, as W3C Trace
/// Context has it.
public record TraceId(String value) {
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");
    private static final String NONE = "0".repeat(32);

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

    /// The id inside a `traceparent` header, if it is a valid one.
    public static Optional<TraceId> ofTraceparent(String header) {
        var matcher = TRACEPARENT.matcher(header);
        if (header.startsWith("ff") || !matcher.matches() || NONE.equals(matcher.group(1))) {
            return Optional.empty();
        }
        return Optional.of(new TraceId(matcher.group(1)));
    }

    @Override
    public String toString() {
        return value;
    }
}
