package dev.caisson.call;

import java.util.List;

/// Rules of the network of a caller's programs. What no rule takes is not reached; without a rule
/// there is no network at all.
public record NetworkRules(List<NetworkRule> allow) {
    /// No network.
    public static final NetworkRules NONE = new NetworkRules(List.of());

    public static final int COUNT_MAX = 64;

    /// @throws IllegalArgumentException with what is wrong
    public NetworkRules {
        allow = List.copyOf(allow);
        if (allow.size() > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "a network has %d rules at most".formatted(COUNT_MAX));
        }
    }

    public boolean isNone() {
        return allow.isEmpty();
    }

    /// Those for a host and a port.
    ///
    /// @param host as it is compared, see [NetworkRule#plain]
    public List<NetworkRule> of(String host, int port) {
        return allow.stream().filter(rule -> rule.takes(host, port)).toList();
    }

    /// Whether a host has a rule, whatever the port.
    public boolean know(String host) {
        return allow.stream()
                .flatMap(rule -> rule.ports().stream().map(port -> rule.takes(host, port)))
                .anyMatch(takes -> takes);
    }
}
