package dev.caisson.broker;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// The answer to a call of a tool that this caller does not see, which is the same whether there is
/// such a tool or not. It names what the caller may have meant.
final class UnknownTool {
    /// How many names of other tools are told at most.
    static final int AVAILABLE_MAX = 100;

    /// Up to so many tools are all named in the sentence.
    static final int FEW = 10;

    /// How much of the caller's own name is repeated, in characters.
    static final int NAME_MAX = 100;

    /// So many letters may differ between a name and a near one.
    private static final int NEAR = 3;

    private UnknownTool() {}

    static Refusal refusal(String name, List<ToolSpec> visible) {
        var names = visible.stream().map(ToolSpec::name).toList();
        var shown = name.length() > NAME_MAX ? name.substring(0, NAME_MAX) + "…" : name;
        return new Refusal(
                Reason.UNKNOWN_TOOL,
                "Unknown tool: " + shown + hint(shown, names),
                Map.of("available", names.stream().limit(AVAILABLE_MAX).toList()));
    }

    private static String hint(String name, List<String> names) {
        var near = names.stream().filter(one -> distance(name, one) <= NEAR).limit(FEW).toList();
        if (!near.isEmpty()) {
            return ". Did you mean " + String.join(" or ", near) + "?";
        }
        return names.isEmpty() || names.size() > FEW
                ? ""
                : ". There are " + String.join(", ", names) + ".";
    }

    /// How many letters must be added, removed or changed to get from one to the other.
    private static int distance(String one, String other) {
        var previous = new int[other.length() + 1];
        Arrays.setAll(previous, i -> i);
        for (var i = 1; i <= one.length(); i++) {
            var current = new int[other.length() + 1];
            current[0] = i;
            for (var j = 1; j <= other.length(); j++) {
                var change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                current[j] =
                        Math.min(
                                previous[j - 1] + change,
                                1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
