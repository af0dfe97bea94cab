package dev.caisson.executions;

import java.util.regex.Pattern;

/// Patterns of SQL's LIKE, with `!` as the sign that takes a character's meaning away.
final class LikePattern {
    private static final Pattern SPECIAL = Pattern.compile("[!%_]");

    private LikePattern() {}

    /// A pattern that nothing but this text matches.
    static String literally(String text) {
        return SPECIAL.matcher(text).replaceAll("!$0");
    }
}
