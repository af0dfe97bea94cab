package dev.caisson.mcp;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The revisions of the protocol we speak, oldest first.
///
/// The last one is another era: no handshake, no sessions, every request says all about itself.
enum Revision {
    R2024_11_05("2024-11-05"),
    R2025_03_26("2025-03-26"),
    R2025_06_18("2025-06-18"),
    R2025_11_25("2025-11-25"),
    R2026_07_28("2026-07-28");

    static final Revision NEWEST_LEGACY = R2025_11_25;

    /// What a request without a version header is taken for.
    static final Revision UNSAID = R2025_03_26;

    private final String word;

    Revision(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    boolean modern() {
        return this == R2026_07_28;
    }

    boolean atLeast(Revision other) {
        return compareTo(other) >= 0;
    }

    static Optional<Revision> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }

    /// What `initialize` answers: the revision asked for when it is a legacy one we know, else our
    /// newest legacy one.
    static Revision negotiated(String asked) {
        return of(asked).filter(known -> !known.modern()).orElse(NEWEST_LEGACY);
    }

    /// The words of those a self-describing request may name.
    static List<String> modernWords() {
        return Arrays.stream(values()).filter(Revision::modern).map(Revision::word).toList();
    }
}
