package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import java.util.Collection;

/// Source of tools that are the same for every caller, until they are replaced as a whole.
public final class ToolList implements ToolSource {
    private final Changes changes;
    private volatile ToolIndex index;

    /// @param changes takes the news when callers see other tools than before
    public ToolList(Collection<? extends Tool> tools, Changes changes) {
        this.changes = changes;
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
                new Change.Tools(
                        caller -> !before.visibleTo(caller).equals(after.visibleTo(caller))));
    }
}
