package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.json.Schema;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The tools there are, by name, with their schemas compiled once. What a caller sees is computed
/// when it asks.
final class Catalogue {
    /// A tool and its compiled schemas.
    record Entry(Tool tool, Schema input, Optional<Schema> output) {
        static Entry of(Tool tool) {
            var spec = tool.spec();
            return new Entry(
                    tool, Schema.of(spec.inputSchema()), spec.outputSchema().map(Schema::of));
        }

        boolean visibleTo(Caller caller) {
            return caller.sees(tool.spec().toolset());
        }
    }

    private final Map<String, Entry> byName;
    private final Map<String, Entry> byAlias;

    Catalogue(Collection<Tool> tools) {
        byName = new TreeMap<>();
        byAlias = new HashMap<>();
        for (var tool : tools) {
            add(Entry.of(tool));
        }
    }

    private void add(Entry entry) {
        var spec = entry.tool().spec();
        if (byName.put(spec.name(), entry) != null) {
            throw new IllegalArgumentException("two tools are called " + spec.name());
        }
        for (var alias : spec.aliases()) {
            if (byAlias.put(alias, entry) != null) {
                throw new IllegalArgumentException("two tools are also called " + alias);
            }
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
        var entry = byName.containsKey(name) ? byName.get(name) : byAlias.get(name);
        return Optional.ofNullable(entry).filter(found -> found.visibleTo(caller));
    }
}
