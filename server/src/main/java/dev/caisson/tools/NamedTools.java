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

/// Tools a caller may call, by `module.function` or by the names they have elsewhere.
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
        tools.forEach(tool -> byName.put(tool.effectiveOrigin().ledgerName(), tool));
        names = tools.stream().map(ToolSpec::qualifiedName).toList();
    }

    /// By `module.function`, or by `server/tool` with the name that the tool has there. Ids of
    /// servers are taken for modules.
    Optional<ToolSpec> find(String name) {
        int end = end(name);
        return Optional.ofNullable(byName.get(name))
                .or(() ->
                        Optional.of(name)
                                .filter(_ -> end > 0)
                                .map(_ -> server(name) + name.substring(end))
                                .map(byName::get));
    }

    /// Where the server ends in a name; 0 or less without one.
    private static int end(String name) {
        int dot = name.indexOf('.');
        int slash = name.indexOf('/');
        return dot < 0 || slash < 0 ? Math.max(dot, slash) : Math.min(dot, slash);
    }

    private static String server(String name) {
        return Identifiers.module(name.substring(0, end(name)));
    }

    /// What is called by a name: also a tool that is not found, because it waits for a review.
    Optional<ToolLookup> called(String name) {
        return find(name).map(spec -> broker.find(caller, spec.name())).or(() -> waiting(name));
    }

    private Optional<ToolLookup> waiting(String name) {
        int end = end(name);
        return Optional.of(name)
                .filter(_ -> end > 0 && !name.endsWith(ToolOrigin.RESOURCE_READ))
                .map(_ -> server(name))
                .filter(server -> !server.equals(ToolOrigin.OWN_SERVER))
                .map(server -> broker.findOrigin(caller, server, name.substring(end + 1)))
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
