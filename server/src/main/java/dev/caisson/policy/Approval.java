package dev.caisson.policy;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Approval of a call by a person: asked for, and decided on or not.
///
/// @param id of its process
/// @param bound to what it is bound
/// @param details what a person decides by, without secrets
/// @param decision what was decided, once it was
/// @param used whether the call was made by it, where it is not waited for
public record Approval(
        String id,
        State state,
        Bound bound,
        ObjectNode details,
        Instant created,
        Instant expires,
        Optional<Decided> decision,
        boolean used) {
    /// Whether the rule that asks stands in the policy's file, so that no stored rule comes before
    /// it.
    boolean isFixed() {
        return details.path("fixed").asBoolean(false);
    }

    /// Whether another call has the same arguments.
    boolean isEqual(Approval other) {
        return bound.arguments().equals(other.bound.arguments());
    }

    /// States of its process.
    public enum State {
        PENDING,
        APPROVED,
        DENIED,
        EXPIRED,
        WITHDRAWN;

        /// As the process has it, such as `pending`.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static State of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /// The call that it is bound to, and no other.
    ///
    /// @param executionId of the run whose program makes it; empty for a direct call
    /// @param caller by id
    /// @param server as a module of programs
    /// @param tool as its server names it
    /// @param definition the hash of its definition; empty for our own
    /// @param arguments the hash of all of them
    public record Bound(
            Optional<String> executionId,
            String callId,
            String caller,
            String server,
            String tool,
            String definition,
            String arguments) {}

    /// How far a decision goes.
    public enum Scope {
        /// This call.
        ONCE,
        /// This tool, for the rest of the run.
        RUN,
        /// Every call of this tool by this key, by a rule.
        ALWAYS;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// @param by the name of whoever decided; what ended it, where nobody did
    /// @param reason of the one who decided
    public record Decided(Instant at, String by, Optional<Scope> scope, Optional<String> reason) {}
}
