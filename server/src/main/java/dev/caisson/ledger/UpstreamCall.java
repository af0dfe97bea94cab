package dev.caisson.ledger;

import dev.caisson.call.CodePlace;
import dev.caisson.call.Door;
import dev.caisson.call.Judgement;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// Call of a tool of another server, as it is recorded.
///
/// @param id of which there is no other
/// @param executionId of the program that made it; empty for a direct call
/// @param number of the call in its execution, from 1; 0 for a direct call
/// @param at where in its program it was made, by the word of that
/// @param caller by id
/// @param tool as programs name it in its module
/// @param hash of the definition that was approved
/// @param argumentsHash keyed with a secret of the server
/// @param arguments without secrets, where they are kept
/// @param effect in a word
/// @param failed whether it ended with a failure; empty while it is not known
/// @param error how a call ended that got no result, in a word
/// @param result without secrets, where it is kept
/// @param durationMicros once it is over
/// @param asked what the policy was asked; empty in records of older versions
/// @param reconciled who found out what became of it, when nobody knew
public record UpstreamCall(
        String id,
        Optional<String> executionId,
        long number,
        Optional<CodePlace> at,
        String caller,
        String upstream,
        String tool,
        String hash,
        String argumentsHash,
        Optional<JsonNode> arguments,
        State state,
        String effect,
        Optional<Boolean> failed,
        Optional<String> error,
        Optional<JsonNode> result,
        long argumentBytes,
        OptionalLong resultBytes,
        Instant began,
        OptionalLong durationMicros,
        Optional<Asked> asked,
        Optional<Reconciliation> reconciled) {
    /// The same call, as it has ended.
    ///
    /// @param micros once it is over
    UpstreamCall ended(
            State end,
            Optional<Boolean> newFailed,
            Optional<String> newError,
            Optional<JsonNode> newResult,
            OptionalLong newResultBytes,
            OptionalLong micros) {
        return new UpstreamCall(
                id,
                executionId,
                number,
                at,
                caller,
                upstream,
                tool,
                hash,
                argumentsHash,
                arguments,
                end,
                effect,
                newFailed,
                newError,
                newResult,
                argumentBytes,
                newResultBytes,
                began,
                micros,
                asked,
                reconciled);
    }

    /// The same call, as one that has no result has ended.
    UpstreamCall ended(State end, Optional<Boolean> newFailed, Optional<String> newError) {
        return ended(
                end,
                newFailed,
                newError,
                Optional.empty(),
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    /// The same call without its arguments.
    UpstreamCall withoutArguments() {
        return new UpstreamCall(
                id,
                executionId,
                number,
                at,
                caller,
                upstream,
                tool,
                hash,
                argumentsHash,
                Optional.empty(),
                state,
                effect,
                failed,
                error,
                result,
                argumentBytes,
                resultBytes,
                began,
                durationMicros,
                asked,
                reconciled);
    }

    /// What the policy was asked about a call, beside what stands in it anyway, and what it said.
    ///
    /// @param protocolName of the tool at its server
    /// @param trusted whether the server was
    /// @param judgement empty for a call that was refused before
    public record Asked(
            String protocolName, Door door, boolean trusted, Optional<Judgement> judgement) {}

    /// How somebody found out what became of a call.
    ///
    /// @param by the name of a person, or a tool
    public record Reconciliation(How how, String by, Instant at) {
        /// In which way.
        public enum How {
            /// A person looked there.
            PERSON("person"),
            /// It was sent again with the same key.
            RETRY("retry"),
            /// A tool that only reads was asked.
            CHECK("check");

            private final String word;

            How(String word) {
                this.word = word;
            }

            public String word() {
                return word;
            }

            static How of(String word) {
                for (var how : values()) {
                    if (how.word.equals(word)) {
                        return how;
                    }
                }
                throw new IllegalArgumentException("no way to find out: " + word);
            }
        }
    }

    /// What is known of a call.
    public enum State {
        /// It passed all checks and is not over.
        INTENDED("intended"),
        /// It was answered, by a failure too.
        DONE("done"),
        /// It ended before anything was sent.
        NOT_SENT("not_sent"),
        /// Nobody knows what it did.
        UNKNOWN("unknown"),
        /// It did not pass the checks.
        REFUSED("refused");

        private final String word;

        State(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static State of(String word) {
            for (var state : values()) {
                if (state.word.equals(word)) {
                    return state;
                }
            }
            throw new IllegalArgumentException("no state of a call: " + word);
        }
    }
}
