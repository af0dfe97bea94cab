package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.json.Schema;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The tools there are, by name, with their schemas compiled once. What a caller sees is computed
/// when it asks.
final class Catalogue {
    /// A tool and its compiled schemas.
    ///
    /// @param listed what the tool is to callers who look at the list, also for another form of it
    /// @param words of the server that its results have
    record Entry(
            Tool tool, ToolSpec listed, Schema input, Optional<Schema> output, Set<String> words) {
        static Entry of(Tool tool, ToolSpec listed) {
            var spec = tool.spec();
            try {
                return new Entry(
                        tool,
                        listed,
                        Schema.of(spec.inputSchema()),
                        spec.outputSchema().map(Schema::of),
                        spec.outputSchema().map(Exit::words).orElse(Set.of()));
            } catch (IllegalArgumentException failure) {
                throw new IllegalArgumentException(
                        "the tool " + spec.name() + " cannot be offered", failure);
            }
        }

        boolean visibleTo(Caller caller) {
            return caller.sees(listed.toolset()) && listed.scope().map(caller::may).orElse(true);
        }
    }

    private final Map<String, Entry> byName;
    private final Map<String, Entry> byAlias;

    Catalogue(Collection<Tool> tools) {
        byName = new TreeMap<>();
        byAlias = new HashMap<>();
        for (var tool : tools) {
            add(tool);
        }
        for (var alias : byAlias.keySet()) {
            if (byName.containsKey(alias)) {
                throw new IllegalArgumentException("two tools are called " + alias);
            }
        }
    }

    private void add(Tool tool) {
        var spec = tool.spec();
        var entry = Entry.of(tool, spec);
        claim(byName, spec.name(), entry);
        for (var alias : spec.aliases()) {
            claim(byAlias, alias, entry);
        }
        for (var form : tool.otherForms()) {
            claim(byAlias, form.spec().name(), Entry.of(form, spec));
        }
    }

    private static void claim(Map<String, Entry> names, String name, Entry entry) {
        if (names.put(name, entry) != null) {
            throw new IllegalArgumentException("two tools are called " + name);
        }
    }

    /// In the order of their names.
    List<ToolSpec> visibleTo(Caller caller) {
        return byName.values().stream()
                .filter(entry -> entry.visibleTo(caller))
                .map(entry -> entry.tool().spec())
                .toList();
    }

    Optional<Entry> find(Caller caller, String name) {
        return Optional.ofNullable(byName.get(name))
                .or(() -> Optional.ofNullable(byAlias.get(name)))
                .filter(entry -> entry.visibleTo(caller));
    }
}
