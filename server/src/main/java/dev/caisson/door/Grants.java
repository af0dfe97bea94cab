package dev.caisson.door;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Grants of one run: which tools its program may call, as patterns of `module.function`. They only
/// narrow: what its caller may not call they do not give.
///
/// @param patterns such as `github.*`; a `*` stands for any characters
public record Grants(List<String> patterns) {
    /// Everything its caller may call.
    public static final Grants ALL = new Grants(List.of("*"));

    public static final int PATTERNS_MAX = 64;
    public static final int LENGTH_MAX = 170;

    private static final Pattern FORM =
            Pattern.compile("\\*|[a-z0-9_*]{1,41}\\.[A-Za-z0-9_*]{1,128}");

    public Grants {
        patterns = List.copyOf(patterns);
    }

    /// @throws Refusal INVALID_ARGUMENT that names a pattern of another form
    public static Grants of(List<String> patterns) {
        for (var pattern : patterns) {
            if (!FORM.matcher(pattern).matches()) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "tools has a pattern that names no tool. Patterns are module.function with *"
                                + " for any characters, such as github.* or github.list_issues; an"
                                + " empty list is no tool at all.",
                        Map.of("parameter", "tools"));
            }
        }
        return new Grants(patterns);
    }

    /// Whether nothing can be called.
    public boolean isNothing() {
        return patterns.isEmpty();
    }

    /// @param name such as `github.create_issue`
    public boolean include(String name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /// Parts between stars are looked for one after another, so no pattern takes long.
    private static boolean matches(String pattern, String name) {
        var parts = pattern.split("\\*", -1);
        if (parts.length == 1) {
            return pattern.equals(name);
        }
        var last = parts[parts.length - 1];
        int end = name.length() - last.length();
        if (!name.startsWith(parts[0]) || !name.endsWith(last) || end < parts[0].length()) {
            return false;
        }
        int at = parts[0].length();
        for (int part = 1; part < parts.length - 1; part++) {
            int found = name.indexOf(parts[part], at);
            if (found < 0 || found + parts[part].length() > end) {
                return false;
            }
            at = found + parts[part].length();
        }
        return true;
    }
}
