package dev.caisson.storage;

import java.time.Instant;

/// A thread as its caller sees it.
///
/// @param modified when something last changed in it
/// @param busy whether an execution uses it now
/// @param filesLost whether it had files and they are not there any more
public record ThreadInfo(
        String id, Usage usage, Instant modified, boolean busy, boolean filesLost) {}
