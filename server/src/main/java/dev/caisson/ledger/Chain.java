package dev.caisson.ledger;

import dev.caisson.call.Digests;
import java.util.HexFormat;

/// Hash chain of entries.
///
/// The hash of an entry is the SHA-256, in lower-case hexadecimal digits, of the previous entry's
/// hash as a field, and then the [EntryEncoding] of this one.
///
/// An entry's number is not in its hash: its place follows from the hash before it.
final class Chain {
    private Chain() {}

    static String hash(String previousHash, byte[] form) {
        var digest = Digests.sha256();
        digest.update(EntryEncoding.field(previousHash));
        return HexFormat.of().formatHex(digest.digest(form));
    }

    static String sha256(byte[] bytes) {
        return Digests.sha256Hex(bytes);
    }
}
