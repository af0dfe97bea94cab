package dev.caisson.ledger;

/// The last entry of the ledger, by number and hash. Whoever notes it down outside the server can
/// prove later that nothing before it was touched.
public record Head(long sequence, String hash) {
    /// Of a ledger without an entry.
    public static final Head NONE = new Head(0, "0".repeat(64));
}
