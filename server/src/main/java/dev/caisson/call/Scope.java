package dev.caisson.call;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Scope: a right of an API key. There is no wildcard: a key lists what it was given.
public enum Scope {
    /// Run code, see what it wrote, and end what lives on of it.
    RUN,
    /// Read files of its own threads and volumes.
    FILES_READ,
    /// Write and delete them.
    FILES_WRITE,
    /// Call tools of other servers.
    TOOLS,
    /// Decide on calls that a person must approve.
    APPROVE,
    /// Read the ledger.
    AUDIT,
    /// Create and revoke keys, and see how the server is.
    ADMIN;

    /// The word used on the wire and on the command line, such as `files_read`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Scope> of(String word) {
        return Arrays.stream(values()).filter(scope -> scope.word().equals(word)).findFirst();
    }
}
