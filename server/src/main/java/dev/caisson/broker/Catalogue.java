package dev.caisson.broker;

import dev.caisson.call.Caller;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Catalogue of the tools of all sources. The list of a caller is computed when it asks. Of two
/// sources with a tool of the same name, the earlier one counts.
final class Catalogue {
    private final List<ToolSource> sources;
    private final ToolListing listing;

    Catalogue(List<ToolSource> sources, ToolListing listing) {
        this.sources = List.copyOf(sources);
        this.listing = listing;
    }

    /// Those a caller is listed, in the order of their names.
    List<ToolSpec> listedTo(Caller caller) {
        var byName = new TreeMap<String, ToolIndex.Entry>();
        var servers = new TreeSet<String>();
        for (var source : sources) {
            var index = source.tools(caller);
            index.visibleTo(caller)
                    .forEach(entry -> byName.putIfAbsent(entry.listed().name(), entry));
            servers.addAll(index.serversSeenBy(caller));
        }
        var view = listing.viewOf(caller, !servers.isEmpty());
        return byName.values().stream()
                .flatMap(entry -> view.shown(entry).stream())
                .map(spec -> ServerNames.in(spec, servers))
                .toList();
    }

    /// Those a caller may call, listed or not, in the order of their names: whole declarations.
    List<ToolSpec> callableBy(Caller caller) {
        var byName = new TreeMap<String, ToolSpec>();
        for (var source : sources) {
            for (var spec : source.tools(caller).callableBy(caller)) {
                byName.putIfAbsent(spec.name(), spec);
            }
        }
        return List.copyOf(byName.values());
    }

    /// The tool that a server has under a name of its own.
    ToolLookup findOrigin(Caller caller, String server, String tool) {
        var given = server + "/" + tool;
        for (var source : sources) {
            var found = source.tools(caller).from(caller, server, tool);
            if (found.isPresent()) {
                return new ToolLookup(given, found);
            }
        }
        return new ToolLookup(given, Optional.empty());
    }

    /// A name that is listed comes before every alias.
    ToolLookup find(Caller caller, String name) {
        Optional<ToolIndex.Entry> found = Optional.empty();
        for (var source : sources) {
            var index = source.tools(caller);
            var named = index.named(caller, name);
            if (named.isPresent()) {
                return new ToolLookup(name, named);
            }
            found = found.or(() -> index.aliased(caller, name));
        }
        return new ToolLookup(name, found);
    }
}
