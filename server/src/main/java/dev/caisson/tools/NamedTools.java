package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.NearName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tools a caller may call, by `module.function` or by the name they have in a list.
final class NamedTools {
    private final Map<String, ToolSpec> byName = new HashMap<>();
    private final List<String> names;

    NamedTools(Broker broker, Caller caller) {
        var tools = ToolSearch.findable(broker, caller);
        tools.forEach(tool -> byName.put(tool.name(), tool));
        tools.forEach(tool -> byName.put(tool.qualifiedName(), tool));
        names = tools.stream().map(ToolSpec::qualifiedName).toList();
    }

    Optional<ToolSpec> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// What to say of a name that is none.
    String unknown(String name) {
        return NearName.of(name, names)
                .map(near -> "There is no tool %s. Did you mean %s?".formatted(name, near))
                .orElse(
                        "There is no tool %s. Find tools with %s, and name them module.function."
                                .formatted(name, ToolSearch.NAME));
    }
}
