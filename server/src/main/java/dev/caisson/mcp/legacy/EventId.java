package dev.caisson.mcp.legacy;

import java.util.Optional;
import java.util.regex.Pattern;

/// Event id of a legacy stream, as a client brings it back.
record EventId(String stream, long number) {
    /// What the names of calls' streams begin with.
    static final String OF_CALL = "c";

    /// What the names of sessions' own streams begin with.
    static final String STANDING = "s";

    private static final Pattern FORM = Pattern.compile("([a-z0-9]{1,40})-([0-9]{1,18})");

    boolean ofCall() {
        return stream.startsWith(OF_CALL);
    }

    static Optional<EventId> of(String text) {
        var matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(new EventId(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
