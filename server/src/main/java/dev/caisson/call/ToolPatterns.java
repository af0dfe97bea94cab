package dev.caisson.call;

import java.util.List;
import java.util.regex.Pattern;

/// Patterns of tools, as `module.function` with `*` for any characters: `github.*`,
/// `github.list_issues`. An empty list is no tool at all.
public record ToolPatterns(List<String> patterns) {
    /// Every tool.
    public static final ToolPatterns ALL = new ToolPatterns(List.of("*"));

    public static final int COUNT_MAX = 64;
    public static final int LENGTH_MAX = 170;

    private static final Pattern FORM =
            Pattern.compile("\\*|[a-z0-9_*]{1,41}\\.[A-Za-z0-9_*]{1,128}");

    public ToolPatterns {
        patterns = List.copyOf(patterns);
    }

    /// Whether a text is a pattern.
    public static boolean isPattern(String text) {
        return FORM.matcher(text).matches();
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
