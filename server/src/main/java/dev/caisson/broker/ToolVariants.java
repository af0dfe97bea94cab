package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/// Source of tools that say different things of themselves to different groups of callers. The
/// tools of a group are made when the first of its callers asks, and kept until they change.
///
/// @param <G> what the callers of a group have in common
public final class ToolVariants<G> implements ToolSource {
    /// How many groups are kept; the tools of others are made again.
    static final int GROUPS_MAX = 256;

    private final Function<Caller, G> groupOf;
    private final Function<G, ? extends Collection<? extends Tool>> maker;
    private final Changes changes;
    private final Map<G, ToolIndex> byGroup = new ConcurrentHashMap<>();

    /// @param groupOf the group of a caller
    /// @param maker of the tools of a group
    /// @param changes takes the news when callers see other tools than before
    public ToolVariants(
            Function<Caller, G> groupOf,
            Function<G, ? extends Collection<? extends Tool>> maker,
            Changes changes) {
        this.groupOf = groupOf;
        this.maker = maker;
        this.changes = changes;
    }

    @Override
    public ToolIndex tools(Caller caller) {
        return ofGroup(groupOf.apply(caller));
    }

    private ToolIndex ofGroup(G group) {
        if (byGroup.size() >= GROUPS_MAX && !byGroup.containsKey(group)) {
            byGroup.clear();
        }
        return byGroup.computeIfAbsent(group, name -> ToolIndex.of(maker.apply(name)));
    }

    /// The tools of all groups may be others now: tells those callers who see another list.
    public synchronized void renew() {
        var before = Map.copyOf(byGroup);
        byGroup.clear();
        changes.announce(
                new Change.Tools(caller -> {
                    var group = groupOf.apply(caller);
                    var old = before.get(group);
                    return old == null
                            || !old.shownTo(caller).equals(ofGroup(group).shownTo(caller));
                }));
    }

    /// The tools of some groups are made again.
    ///
    /// @param changed the groups concerned
    /// @param seen those whose callers see something else now, who are told; empty for none
    public void renew(Predicate<G> changed, Optional<Predicate<G>> seen) {
        byGroup.keySet().removeIf(changed);
        seen.ifPresent(which ->
                changes.announce(new Change.Tools(caller -> which.test(groupOf.apply(caller)))));
    }
}
