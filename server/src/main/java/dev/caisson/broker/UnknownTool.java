package dev.caisson.broker;

import dev.caisson.call.NearName;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Map;

/// Refusal of a call to a tool that this caller does not see, which is the same whether there is
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
        var near =
                names.stream()
                        .filter(one -> NearName.distance(name, one) <= NEAR)
                        .limit(FEW)
                        .toList();
        if (!near.isEmpty()) {
            return ". Did you mean " + String.join(" or ", near) + "?";
        }
        return names.isEmpty() || names.size() > FEW
                ? ""
                : ". There are " + String.join(", ", names) + ".";
    }
}
