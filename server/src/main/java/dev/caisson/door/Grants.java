package dev.caisson.door;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolPatterns;
import java.util.List;
import java.util.Map;

/// Grants of one run: which tools its program may call, as patterns of `module.function`. They only
/// narrow: what its caller may not call they do not give.
///
/// @param patterns such as `github.*`; a `*` stands for any characters
public record Grants(List<String> patterns) {
    /// Everything its caller may call.
    public static final Grants ALL = new Grants(List.of("*"));

    public static final int PATTERNS_MAX = ToolPatterns.COUNT_MAX;
    public static final int LENGTH_MAX = ToolPatterns.LENGTH_MAX;

    public Grants {
        patterns = List.copyOf(patterns);
    }

    /// @throws Refusal INVALID_ARGUMENT that names a pattern of another form
    public static Grants of(List<String> patterns) {
        for (var pattern : patterns) {
            if (!ToolPatterns.isPattern(pattern)) {
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
        return new ToolPatterns(patterns).include(name);
    }
}
