package dev.caisson.session;

import dev.caisson.sandbox.Language;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A live session as a list shows it.
///
/// @param id by which it is ended; it says nothing about the session
/// @param owner the id of the caller it belongs to
/// @param begun when it was made
/// @param lastUsed when a call in it last began or ended
/// @param idle how long no call has been in it; zero while one is
/// @param memoryBytes what it uses now; absent where nobody measures it
/// @param busy whether a program runs in it
public record SessionInfo(
        String id,
        String owner,
        String threadId,
        Language language,
        Instant begun,
        Instant lastUsed,
        Duration idle,
        Optional<Long> memoryBytes,
        boolean busy) {
    SessionInfo using(Optional<Long> bytes) {
        return new SessionInfo(id, owner, threadId, language, begun, lastUsed, idle, bytes, busy);
    }
}
