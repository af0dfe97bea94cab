package dev.caisson.tools;

import dev.caisson.config.Key;
import java.util.Set;

/// Settings of the tools as a whole.
///
/// @param disabled names of tools that nobody sees
public record ToolSettings(
        @Key(
                        name = "tools.disabled",
                        doc =
                                "Tools that nobody sees and nobody can call, by name; their REST routes"
                                        + " are gone too.")
                Set<String> disabled) {
    public ToolSettings {
        disabled = Set.copyOf(disabled);
    }
}
