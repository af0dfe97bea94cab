package dev.caisson.policy;

import dev.caisson.call.Judgement;
import java.time.Instant;
import java.util.Optional;

/// Call of another server's tool that is on record.
///
/// @param executionId of the program that made it
/// @param subject what is known of it; its arguments where they were kept
/// @param judgement by which rules it was judged then
/// @param made whether its tool was called
public record PastCall(
        String id,
        Optional<String> executionId,
        Instant at,
        Subject subject,
        Optional<Judgement> judgement,
        boolean made) {}
