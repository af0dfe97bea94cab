package dev.caisson.upstream;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Rules for headers that an operator gives: which names are free, and what a value may hold.
final class HeaderWords {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[\\x21-\\x7e][\\x20-\\x7e]{0,4095}");

    /// Headers of HTTP itself and of the protocol.
    private static final Set<String> TAKEN =
            Set.of(
                    "accept",
                    "accept-encoding",
                    "connection",
                    "content-encoding",
                    "content-length",
                    "content-type",
                    "cookie",
                    "expect",
                    "host",
                    "idempotency-key",
                    "keep-alive",
                    "last-event-id",
                    "te",
                    "traceparent",
                    "tracestate",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private HeaderWords() {}

    static boolean isName(String name) {
        var lower = name.toLowerCase(Locale.ROOT);
        return NAME.matcher(name).matches()
                && !TAKEN.contains(lower)
                && !lower.startsWith("mcp-")
                && !lower.startsWith("proxy-");
    }

    static boolean isValue(String value) {
        return VALUE.matcher(value).matches();
    }
}
