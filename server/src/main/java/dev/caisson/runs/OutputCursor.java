package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.regex.Pattern;

/// Cursor in the output of a run: how many bytes of each stream a reader has seen. On the wire it
/// is two numbers with a dot between.
public record OutputCursor(long stdout, long stderr) {
    public static final OutputCursor START = new OutputCursor(0, 0);

    /// How long one is on the wire at most.
    public static final int LENGTH_MAX = 31;

    private static final Pattern SHAPE = Pattern.compile("([0-9]{1,15})\\.([0-9]{1,15})");

    /// @throws Refusal INVALID_ARGUMENT when it is not one of ours
    public static OutputCursor of(String text) {
        var matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "since is not valid. Use the next_since of the answer before, or leave it out.");
        }
        return new OutputCursor(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    public String text() {
        return stdout + "." + stderr;
    }
}
