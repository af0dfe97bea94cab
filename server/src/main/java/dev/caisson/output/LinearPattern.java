package dev.caisson.output;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Map;

/// A regular expression of a caller's. It is looked for in time that grows with the text alone,
/// whatever the expression, and its size is bounded before it is compiled: counted repetitions
/// multiply.
///
/// The syntax is RE2's, so there is neither a look ahead or behind nor a reference to a group.
final class LinearPattern {
    private final Pattern pattern;

    /// @param name of the argument, for the caller
    /// @throws Refusal INVALID_ARGUMENT when it is not one, or too large
    LinearPattern(String name, String expression, int lengthMax) {
        if (expression.length() > lengthMax) {
            throw refused(name, "is longer than " + lengthMax + " characters.");
        }
        new PatternSize(expression)
                .problem()
                .ifPresent(problem -> {
                    throw refused(name, problem);
                });
        try {
            pattern = Pattern.compile(expression);
        } catch (PatternSyntaxException wrong) {
            throw refused(name, syntax(expression, wrong));
        }
        if (pattern.programSize() > PatternSize.STEPS_MAX * 2) {
            throw refused(name, PatternSize.TOO_LARGE);
        }
    }

    boolean isFoundIn(CharSequence text) {
        return pattern.matcher(text).find();
    }

    private static String syntax(String expression, PatternSyntaxException wrong) {
        var part = wrong.getPattern();
        return "is not a regular expression of RE2's syntax: %s, at %d: %s"
                .formatted(wrong.getDescription(), Math.max(0, expression.indexOf(part)), part);
    }

    private static Refusal refused(String name, String why) {
        return new Refusal(Reason.INVALID_ARGUMENT, name + " " + why, Map.of("parameter", name));
    }
}
