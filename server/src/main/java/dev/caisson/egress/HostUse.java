package dev.caisson.egress;

import java.time.Instant;

/// Use of one port of a host by one run.
///
/// @param host as it was asked for; [#OTHERS] for those beyond what is told apart
/// @param port 0 where none is known
/// @param requests connections, and requests over plain HTTP
/// @param sent bytes to the host
/// @param received bytes from the host
public record HostUse(
        String host,
        int port,
        NetworkVerdict verdict,
        long requests,
        long sent,
        long received,
        Instant first,
        Instant last) {
    /// Hosts and ports that are told apart in one run.
    public static final int COUNT_MAX = 200;

    /// All further hosts.
    public static final String OTHERS = "*";

    /// What names no host.
    static final String NOBODY = "-";
}
