package dev.caisson.rpc;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Revisions of the protocol, oldest first.
///
/// The last one is another era: no handshake, no sessions, every request says all about itself.
public enum Revision {
    R2024_11_05("2024-11-05"),
    R2025_03_26("2025-03-26"),
    R2025_06_18("2025-06-18"),
    R2025_11_25("2025-11-25"),
    R2026_07_28("2026-07-28");

    public static final Revision NEWEST_LEGACY = R2025_11_25;

    /// What a request without a version header is taken for.
    public static final Revision UNSAID = R2025_03_26;

    private final String word;

    Revision(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean modern() {
        return this == R2026_07_28;
    }

    public boolean atLeast(Revision other) {
        return compareTo(other) >= 0;
    }

    public static Optional<Revision> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }

    /// What `initialize` answers: the revision asked for when it is a legacy one we know, else our
    /// newest legacy one.
    public static Revision negotiated(String asked) {
        return of(asked).filter(known -> !known.modern()).orElse(NEWEST_LEGACY);
    }

    /// The words of those a self-describing request may name.
    public static List<String> modernWords() {
        return Arrays.stream(values()).filter(Revision::modern).map(Revision::word).toList();
    }
}
