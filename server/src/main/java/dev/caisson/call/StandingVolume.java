package dev.caisson.call;

import java.util.Optional;
import java.util.regex.Pattern;

/// Standing volume: every run of a caller has it, without being asked for. It is a wish, not a
/// grant: who may use the volume is for its owner to say.
///
/// @param writable whether programs may change its files
public record StandingVolume(String name, boolean writable) {
    /// How many one run may have, and so one caller.
    public static final int COUNT_MAX = 16;

    /// What any volume may be called.
    public static final String NAME_PATTERN = "[a-z0-9][a-z0-9_-]{0,62}";

    private static final Pattern TEXT = Pattern.compile("(" + NAME_PATTERN + ")(?::(ro|rw))?");

    public StandingVolume {
        if (!name.matches(NAME_PATTERN)) {
            throw new IllegalArgumentException("the name of a volume must match " + NAME_PATTERN);
        }
    }

    /// Reads `name`, `name:ro` or `name:rw`; read-only unless it says otherwise.
    public static Optional<StandingVolume> of(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new StandingVolume(matcher.group(1), "rw".equals(matcher.group(2))))
                : Optional.empty();
    }

    /// As [#of] reads it.
    public String text() {
        return name + (writable ? ":rw" : ":ro");
    }
}
