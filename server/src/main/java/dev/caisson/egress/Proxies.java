package dev.caisson.egress;

import dev.caisson.call.NetworkRules;
import dev.caisson.share.Share;
import java.time.Clock;
import java.util.Set;

/// Maker of the proxies of runs, which share what this server has of connections.
public final class Proxies {
    private final Shared shared;

    /// What all of them have.
    record Shared(ProxyLimits limits, Share connections, JudgedLookup lookup, Clock clock) {}

    /// @param limits of each
    /// @param connections of all together
    public Proxies(ProxyLimits limits, Share connections, AddressSource names, Clock clock) {
        this.shared = new Shared(limits, connections, new JudgedLookup(names, Set.of()), clock);
    }

    /// @param caller whose run it is
    public Proxy of(NetworkRules rules, String caller) {
        return new Proxy(rules, shared, caller);
    }
}
