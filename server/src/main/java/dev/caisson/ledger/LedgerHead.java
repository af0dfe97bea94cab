package dev.caisson.ledger;

/// Head of the ledger: number and hash of its last entry. Whoever notes it down outside the server
/// can prove later that nothing before it was touched.
public record LedgerHead(long sequence, String hash) {
    /// Of a ledger without an entry.
    public static final LedgerHead NONE = new LedgerHead(0, "0".repeat(64));
}
