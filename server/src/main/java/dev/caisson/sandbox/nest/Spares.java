package dev.caisson.sandbox.nest;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.KeptNetwork;
import dev.caisson.sandbox.Uninterrupted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Control groups and networks of one nest in which nobody is, for its next sandboxes, which are
/// the same caller's. The kernel says that they are empty; what it does not say so of is not kept.
final class Spares implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spares.class);

    /// More of each do not rest: it takes memory and descriptors to keep them.
    static final int SPARES_MAX = 8;

    private final boolean keeps;
    private final Deque<CgroupGroup> groups = new ArrayDeque<>();
    private final Deque<KeptNetwork> networks = new ArrayDeque<>();

    /// @param keeps whether anything is kept at all
    Spares(boolean keeps) {
        this.keeps = keeps;
    }

    /// Whether a network is worth being held while a sandbox is in it.
    boolean keeps() {
        return keeps;
    }

    synchronized Optional<CgroupGroup> group() {
        return Optional.ofNullable(groups.pollLast());
    }

    synchronized Optional<KeptNetwork> network() {
        return Optional.ofNullable(networks.pollLast());
    }

    /// Its sandbox is dead.
    ///
    /// @return false when it is not kept, and is to be removed
    boolean keep(CgroupGroup group) {
        return keeps && hasRoom(groups) && group.restart() && add(group, groups);
    }

    /// The same; what is not kept is closed.
    void keep(KeptNetwork network) {
        if (!hasRoom(networks) || !network.isDeserted() || !add(network, networks)) {
            network.close();
        }
    }

    private synchronized boolean hasRoom(Deque<?> spares) {
        return spares.size() < SPARES_MAX;
    }

    private synchronized <T> boolean add(T spare, Deque<T> spares) {
        return hasRoom(spares) && spares.add(spare);
    }

    synchronized Set<String> groupNames() {
        return groups.stream().map(CgroupGroup::name).collect(Collectors.toSet());
    }

    @Override
    public void close() {
        List<CgroupGroup> rest;
        synchronized (this) {
            rest = List.copyOf(groups);
            groups.clear();
            networks.forEach(KeptNetwork::close);
            networks.clear();
        }
        for (var group : rest) {
            if (!Uninterrupted.call(group::remove)) {
                LOG.error("the control group {} stays busy", group.name());
            }
        }
    }
}
