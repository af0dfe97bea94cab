package dev.caisson.broker;

import dev.caisson.call.Caller;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Index of tools by name and alias, with their schemas compiled once: our own at once, so that a
/// bad one is never offered, those of other servers when they are called. Never changes.
public final class ToolIndex {
    /// A tool and its compiled schemas.
    ///
    /// @param listed what the tool is to callers who look at the list, also for another form of it
    /// @param words of the server that its results have
    /// @param brief the tool as it stands in the list
    /// @param briefInCode the same in the list of the toolset `code`
    record Entry(
            Tool tool,
            ToolSpec listed,
            LazySchema input,
            Optional<LazySchema> output,
            Set<String> words,
            ToolSpec brief,
            ToolSpec briefInCode) {
        static Entry of(Tool tool, ToolSpec listed) {
            var spec = tool.spec();
            try {
                var input = new LazySchema(spec.inputSchema());
                var output = spec.outputSchema().map(LazySchema::new);
                if (spec.origin().isEmpty()) {
                    input.get();
                    output.ifPresent(LazySchema::get);
                }
                return new Entry(
                        tool,
                        listed,
                        input,
                        output,
                        spec.outputSchema().map(RedactedExit::words).orElse(Set.of()),
                        spec.brief(),
                        spec.briefInCode());
            } catch (IllegalArgumentException failure) {
                throw new IllegalArgumentException(
                        "the tool " + spec.name() + " cannot be offered", failure);
            }
        }

        boolean visibleTo(Caller caller) {
            return ToolListing.isCallable(caller, listed);
        }
    }

    private final Map<String, Entry> byName = new TreeMap<>();
    private final Map<String, Entry> byAlias = new HashMap<>();
    private final Map<String, Entry> byOrigin = new HashMap<>();

    private ToolIndex() {}

    /// @throws IllegalArgumentException when two tools share a name
    public static ToolIndex of(Collection<? extends Tool> tools) {
        var index = new ToolIndex();
        tools.forEach(index::add);
        for (var alias : index.byAlias.keySet()) {
            if (index.byName.containsKey(alias)) {
                throw new IllegalArgumentException("two tools are called " + alias);
            }
        }
        return index;
    }

    /// @param apart what is found by its origin alone, and never listed
    public static ToolIndex of(Collection<? extends Tool> tools, Collection<? extends Tool> apart) {
        var index = of(tools);
        for (var tool : apart) {
            var spec = tool.spec();
            claim(index.byOrigin, spec.effectiveOrigin().ledgerName(), Entry.of(tool, spec));
        }
        return index;
    }

    /// @param apart what is found by its origin alone, and never listed
    /// @param waiting tools that cannot be called yet: they are found by the names they would have,
    ///   never listed, and no tool gives way to them
    public static ToolIndex of(
            Collection<? extends Tool> tools,
            Collection<? extends Tool> apart,
            Collection<? extends Tool> waiting) {
        var index = of(tools, apart);
        for (var tool : waiting) {
            var entry = Entry.of(tool, tool.spec());
            index.byOrigin.putIfAbsent(tool.spec().effectiveOrigin().ledgerName(), entry);
        }
        for (var tool : waiting) {
            var entry = Entry.of(tool, tool.spec());
            var origin = tool.spec().effectiveOrigin();
            index.byOrigin.putIfAbsent(origin.server() + "/" + origin.function(), entry);
            if (!index.byName.containsKey(tool.spec().name())) {
                index.byAlias.putIfAbsent(tool.spec().name(), entry);
            }
        }
        return index;
    }

    private void add(Tool tool) {
        var spec = tool.spec();
        var entry = Entry.of(tool, spec);
        claim(byName, spec.name(), entry);
        claim(byOrigin, spec.effectiveOrigin().ledgerName(), entry);
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

    /// What a caller may call of them, in the order of their names.
    List<Entry> visibleTo(Caller caller) {
        return byName.values().stream().filter(entry -> entry.visibleTo(caller)).toList();
    }

    /// The same, as it is listed: with all the words that a caller may be shown.
    List<ToolSpec> shownTo(Caller caller) {
        return visibleTo(caller).stream().map(Entry::brief).toList();
    }

    /// The ids of the other servers whose tools a caller may call.
    Set<String> serversSeenBy(Caller caller) {
        var servers = new TreeSet<String>();
        for (var entry : byName.values()) {
            entry.listed()
                    .origin()
                    .map(ToolOrigin::server)
                    .filter(_ -> entry.visibleTo(caller))
                    .ifPresent(servers::add);
        }
        return servers;
    }

    /// The same, as calls are checked against it.
    List<ToolSpec> callableBy(Caller caller) {
        return byName.values().stream()
                .filter(entry -> entry.visibleTo(caller))
                .map(Entry::listed)
                .toList();
    }

    Optional<Entry> named(Caller caller, String name) {
        return Optional.ofNullable(byName.get(name)).filter(entry -> entry.visibleTo(caller));
    }

    /// By the name that records have for it.
    Optional<Entry> from(Caller caller, String server, String tool) {
        return Optional.ofNullable(byOrigin.get(server + "/" + tool))
                .filter(entry -> entry.visibleTo(caller));
    }

    Optional<Entry> aliased(Caller caller, String name) {
        return Optional.ofNullable(byAlias.get(name)).filter(entry -> entry.visibleTo(caller));
    }
}
