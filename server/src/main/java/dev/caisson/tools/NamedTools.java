package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.NearName;
import dev.caisson.stubs.Identifiers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Tools a caller may call, by `module.function` or by the name they have in a list.
final class NamedTools {
    private final Broker broker;
    private final Caller caller;
    private final Map<String, ToolSpec> byName = new HashMap<>();
    private final List<String> names;

    NamedTools(Broker broker, Caller caller) {
        this.broker = broker;
        this.caller = caller;
        var tools = ToolSearch.findable(broker, caller);
        tools.forEach(tool -> byName.put(tool.name(), tool));
        tools.forEach(tool -> byName.put(tool.qualifiedName(), tool));
        names = tools.stream().map(ToolSpec::qualifiedName).toList();
    }

    Optional<ToolSpec> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /// What is called by a name: also a tool that is not found, because it waits for a review.
    Optional<ToolLookup> called(String name) {
        return find(name).map(spec -> broker.find(caller, spec.name())).or(() -> waiting(name));
    }

    private Optional<ToolLookup> waiting(String name) {
        int dot = name.indexOf('.');
        return Optional.of(name)
                .filter(_ -> dot > 0 && !name.endsWith(ToolOrigin.RESOURCE_READ))
                .map(_ -> Identifiers.module(name.substring(0, dot)))
                .filter(server -> !server.equals(ToolOrigin.OWN_SERVER))
                .map(server -> broker.findOrigin(caller, server, name.substring(dot + 1)))
                .filter(found -> found.spec().isPresent());
    }

    /// What to say of a name that is none.
    String unknown(String name) {
        if (waiting(name).isPresent()) {
            return "%s cannot be called: it waits for an operator of this server to review it."
                    .formatted(name);
        }
        return NearName.of(name, names)
                .map(near -> "There is no tool %s. Did you mean %s?".formatted(name, near))
                .orElse(
                        "There is no tool %s. Find tools with %s, and name them module.function."
                                .formatted(name, ToolSearch.NAME));
    }
}
