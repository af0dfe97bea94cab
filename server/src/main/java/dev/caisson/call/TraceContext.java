package dev.caisson.call;

import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// Trace context: the place of a call in its trace, as W3C Trace Context has it.
///
/// @param parent the span of whoever made the call, when it began the trace
/// @param sampled whether whoever began the trace wants spans of it
public record TraceContext(TraceId id, Optional<SpanId> parent, boolean sampled) {
    private static final Pattern TRACEPARENT =
            Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int SAMPLED = 1;

    /// The trace begins here.
    public static TraceContext beginning(TraceId id) {
        return new TraceContext(id, Optional.empty(), true);
    }

    public static TraceContext fresh() {
        return beginning(TraceId.fresh());
    }

    /// What a `traceparent` says, if it is a valid one.
    public static Optional<TraceContext> ofTraceparent(String text) {
        var matcher = TRACEPARENT.matcher(text);
        if (text.startsWith("ff")
                || !matcher.matches()
                || isNone(matcher.group(1))
                || isNone(matcher.group(2))) {
            return Optional.empty();
        }
        return Optional.of(
                new TraceContext(
                        new TraceId(matcher.group(1)),
                        Optional.of(new SpanId(matcher.group(2))),
                        (HexFormat.fromHexDigits(matcher.group(3)) & SAMPLED) != 0));
    }

    private static boolean isNone(String digits) {
        return digits.chars().allMatch(digit -> digit == '0');
    }
}
