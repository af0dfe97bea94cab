package dev.caisson.session;

import dev.caisson.sandbox.Outcome;
import java.util.Optional;

/// Result of one call in a session: how it ended, and what became of the session.
///
/// @param why it was restarted: how the one before ended
/// @param ended how this call ended the session, when it did
public record SessionCallResult(
        Outcome outcome, State state, Optional<String> why, Optional<String> ended) {
    /// What a call found.
    public enum State {
        /// There was no session.
        NEW,
        /// Everything the calls before it left.
        KEPT,
        /// A new one in the place of one that has ended.
        RESTARTED
    }
}
