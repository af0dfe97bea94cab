package dev.caisson.ledger;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// How entries are chained.
///
/// The hash of an entry is the SHA-256, in lower-case hexadecimal digits, of the previous entry's
/// hash as a field, and then the [Form] of this one.
///
/// An entry's number is not in its hash: its place follows from the hash before it.
final class Chain {
    private Chain() {}

    static String hash(String previousHash, byte[] form) {
        var digest = sha256();
        digest.update(Form.field(previousHash));
        return HexFormat.of().formatHex(digest.digest(form));
    }

    static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("every Java runtime has SHA-256", failure);
        }
    }
}
