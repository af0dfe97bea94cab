package dev.caisson.executions;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Instant;
import java.util.regex.Pattern;

/// Cursor of a page, a place in a list: everything that follows was made before, or at the same
/// moment and has a lesser id. Executions that come meanwhile do not shift it.
record Cursor(Instant created, String id) {
    private static final Pattern SHAPE = Pattern.compile("([0-9]{1,15})\\.([0-9a-z_]{1,64})");

    static Cursor behind(ListedExecution last) {
        return new Cursor(last.created(), last.id());
    }

    /// @throws Refusal INVALID_ARGUMENT when it is not one of ours
    static Cursor of(String text) {
        var matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The cursor is not valid. Use the one of the page before, or none.");
        }
        return new Cursor(Instant.ofEpochMilli(Long.parseLong(matcher.group(1))), matcher.group(2));
    }

    String text() {
        return created.toEpochMilli() + "." + id;
    }
}
