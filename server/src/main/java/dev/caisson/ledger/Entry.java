package dev.caisson.ledger;

import dev.caisson.call.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Ledger entry of one call.
///
/// @param at when it began, to the millisecond
/// @param caller the id of whoever called
/// @param argumentsHash of the arguments as JSON, see [dev.caisson.call.KeyedDigest]
/// @param codeHash of the program, if one was run, in the same form
/// @param resultBytes of what was handed back; 0 when nothing was
/// @param status `success`, `failed`, `cancelled`, `input_required`, `fault`, or `refused:` and the
///   reason
/// @param duration to the microsecond
/// @param approval what was decided, if the call had to be approved
/// @param redactions secrets taken out of the answer
/// @param subject what it was about, for calls that are about something with an id
public record Entry(
        Instant at,
        String caller,
        String door,
        String tool,
        String argumentsHash,
        Optional<String> codeHash,
        long resultBytes,
        String status,
        Duration duration,
        Optional<String> approval,
        long redactions,
        String traceId,
        Subject subject) {
    /// What a call was about.
    ///
    /// @param executionId of the run it became
    /// @param metadataHash of what the caller said about that run, as JSON, in the form of the hash
    ///   of the arguments
    /// @param keyId of the API key that was made, revoked or used for the first time
    /// @param execution whose program made the call
    /// @param judgement what the policy decided it by
    public record Subject(
            Optional<String> executionId,
            Optional<String> metadataHash,
            Optional<String> keyId,
            Optional<String> execution,
            Optional<Judgement> judgement) {
        public static final Subject NONE =
                new Subject(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        /// Of a call that no policy was asked about.
        public Subject(
                Optional<String> executionId,
                Optional<String> metadataHash,
                Optional<String> keyId,
                Optional<String> execution) {
            this(executionId, metadataHash, keyId, execution, Optional.empty());
        }

        /// Of what happened to a key.
        public static Subject key(Optional<String> keyId) {
            return new Subject(Optional.empty(), Optional.empty(), keyId, Optional.empty());
        }
    }

    private static final long NANOS_PER_MICRO = 1_000;

    public Entry {
        at = Instant.ofEpochMilli(at.toEpochMilli());
        duration = Duration.ofNanos(duration.toNanos() / NANOS_PER_MICRO * NANOS_PER_MICRO);
    }

    /// Of a call that is about nothing with an id.
    public Entry(
            Instant at,
            String caller,
            String door,
            String tool,
            String argumentsHash,
            Optional<String> codeHash,
            long resultBytes,
            String status,
            Duration duration,
            Optional<String> approval,
            long redactions,
            String traceId) {
        this(
                at,
                caller,
                door,
                tool,
                argumentsHash,
                codeHash,
                resultBytes,
                status,
                duration,
                approval,
                redactions,
                traceId,
                Subject.NONE);
    }

    long durationMicros() {
        return duration.toNanos() / NANOS_PER_MICRO;
    }
}
