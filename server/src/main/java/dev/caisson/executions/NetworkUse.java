package dev.caisson.executions;

import dev.caisson.json.Describe;

/// Use of the network by the program of one run: of one port of a host, as its report has it.
public record NetworkUse(
        @Describe("As the program asked for it; * for all beyond the first 200.") String host,
        @Describe("0 where none is known.") int port,
        @Describe(
                        "allowed, denied (no rule), no_address (none that may be reached), unreachable,"
                                + " mismatched (said within a connection to another host), malformed or"
                                + " limited.")
                String verdict,
        @Describe("Requests over plain HTTP, and connections.") long requests,
        @Describe("Bytes to the host.") long sent,
        @Describe("Bytes from the host.") long received,
        String firstAt,
        String lastAt) {
    /// The same of a host under another name.
    public NetworkUse named(String other) {
        return new NetworkUse(other, port, verdict, requests, sent, received, firstAt, lastAt);
    }
}
