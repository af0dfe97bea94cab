package dev.caisson.tools;

import dev.caisson.sandbox.Language;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What a caller wants to have run.
///
/// @param patience how long to wait when the thread is in use
record Request(
        String code,
        Optional<Language> language,
        Optional<Duration> timeout,
        Optional<String> threadId,
        Map<String, String> env,
        Duration patience) {
    Request {
        env = Map.copyOf(env);
    }
}
