package dev.caisson.ledger;

/// An entry at its place in the chain.
///
/// @param sequence counts from 1 without a gap
/// @param previousHash of the entry before; of nothing before the first, 64 zeros
public record LinkedEntry(long sequence, Entry entry, String previousHash, String hash) {
    static LinkedEntry after(LedgerHead head, Entry entry, byte[] form) {
        return new LinkedEntry(
                head.sequence() + 1, entry, head.hash(), Chain.hash(head.hash(), form));
    }

    /// Whether the entry is what its own hash says.
    boolean sound() {
        return Chain.hash(previousHash, EntryEncoding.of(entry)).equals(hash);
    }

    LedgerHead head() {
        return new LedgerHead(sequence, hash);
    }
}
