package dev.caisson.egress;

import java.util.Locale;

/// Verdict on a request of a program to the network.
public enum NetworkVerdict {
    /// It was let out.
    ALLOWED,
    /// No rule takes it.
    DENIED,
    /// The host has no address that may be reached.
    NO_ADDRESS,
    /// The host did not answer.
    UNREACHABLE,
    /// What was said within a connection is not for the host that it was opened to.
    MISMATCHED,
    /// It cannot be read as a request.
    MALFORMED,
    /// It was broken off, or not begun, because the run or its key has had all it may have.
    LIMITED;

    /// As programs read it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
