package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// Source of tools that are the same for every caller, until they are replaced as a whole.
public final class ToolList implements ToolSource {
    private final Changes changes;
    private final ToolListing listing;
    private volatile ToolIndex index;

    /// Of tools that are all listed.
    ///
    /// @param changes takes the news when callers see other tools than before
    public ToolList(Collection<? extends Tool> tools, Changes changes) {
        this(tools, changes, ToolListing.ALL);
    }

    /// @param listing which of them a caller is listed
    public ToolList(Collection<? extends Tool> tools, Changes changes, ToolListing listing) {
        this.changes = changes;
        this.listing = listing;
        this.index = ToolIndex.of(tools);
    }

    @Override
    public ToolIndex tools(Caller caller) {
        return index;
    }

    /// Replaces these tools, and no others, and tells those callers who see another list now.
    public synchronized void replace(Collection<? extends Tool> tools) {
        var before = index;
        var after = ToolIndex.of(tools);
        index = after;
        changes.announce(
                new Change.Tools(caller -> !listed(before, caller).equals(listed(after, caller))));
    }

    /// What a list says of these tools: themselves, or the ids of their servers.
    private Listed listed(ToolIndex tools, Caller caller) {
        var servers = tools.serversSeenBy(caller);
        var view = listing.viewOf(caller, !servers.isEmpty());
        var shown =
                tools.visibleTo(caller).stream()
                        .flatMap(each -> view.shown(each).stream())
                        .toList();
        return new Listed(shown, servers);
    }

    private record Listed(List<ToolSpec> tools, Set<String> servers) {}
}
