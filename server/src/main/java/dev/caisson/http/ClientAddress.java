package dev.caisson.http;

import dev.caisson.call.Network;
import java.net.InetAddress;
import java.util.List;

/// Resolution of the client address behind proxies. Only what a trusted proxy wrote is believed:
/// the chain in `X-Forwarded-For` is walked from its end, and the first address that is not a
/// trusted proxy is the client.
final class ClientAddress {
    private final List<Network> trusted;

    ClientAddress(List<String> trustedProxies) {
        trusted = trustedProxies.stream().map(Network::of).toList();
    }

    String of(InetAddress peer, List<String> forwardedFor) {
        if (trusted.isEmpty() || !isTrusted(peer)) {
            return peer.getHostAddress();
        }
        var client = peer;
        var chain = String.join(",", forwardedFor).split(",", -1);
        for (int i = chain.length - 1; i >= 0 && isTrusted(client); i--) {
            try {
                client = InetAddress.ofLiteral(chain[i].strip());
            } catch (IllegalArgumentException notAnAddress) {
                break;
            }
        }
        return client.getHostAddress();
    }

    private boolean isTrusted(InetAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }
}
