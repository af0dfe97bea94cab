package dev.caisson.call;

import java.util.Locale;

/// Reason of a refusal. Each door has one table from these to its own codes, without a default.
public enum Reason {
    /// The request is not of the shape the method asks for.
    MALFORMED(Blame.CALLER),
    /// An argument of a tool fails its schema or its own check.
    INVALID_ARGUMENT(Blame.CALLER),
    UNKNOWN_TOOL(Blame.CALLER),
    UNKNOWN_RESOURCE(Blame.CALLER),
    UNKNOWN_PROMPT(Blame.CALLER),
    /// A task, thread, execution or other handle that is not there, or not this caller's.
    NOT_FOUND(Blame.CALLER),
    UNAUTHORIZED(Blame.CALLER),
    FORBIDDEN(Blame.CALLER),
    /// The policy on calls does not allow it with these arguments.
    DENIED(Blame.CALLER),
    /// Programs of the same task failed too often: a person has to look at it.
    HANDOFF_REQUIRED(Blame.CALLER),
    /// A person is asked; the same call made again later is met with the decision.
    WAITING_APPROVAL(Blame.LOAD),
    TOO_LARGE(Blame.CALLER),
    /// It is not, or not any more, as the caller said it must be; to look again helps.
    CHANGED(Blame.CALLER),
    /// The client closed its connection before the answer.
    LEFT(Blame.CALLER),
    /// The client did not declare something this call cannot do without.
    MISSING_CAPABILITY(Blame.CALLER),
    /// Somebody is using it; trying again later helps.
    CONFLICT(Blame.LOAD),
    NO_CAPACITY(Blame.LOAD),
    TOO_MANY_ATTEMPTS(Blame.LOAD),
    /// The caller has used what its profile allows for a while; its refusal says until when.
    QUOTA_EXCEEDED(Blame.LOAD),
    TIMED_OUT(Blame.LOAD),
    /// The host lacks something that was promised, such as a layer of isolation.
    UNAVAILABLE(Blame.HOST),
    /// Another server, whose tool was called, cannot be reached or did not answer as it must.
    UPSTREAM(Blame.LOAD),
    /// Another server was asked to change something, and nobody knows whether it did.
    OUTCOME_UNKNOWN(Blame.HOST);

    /// Who must act.
    public enum Blame {
        CALLER,
        LOAD,
        HOST
    }

    private final Blame blame;

    Reason(Blame blame) {
        this.blame = blame;
    }

    public Blame blame() {
        return blame;
    }

    /// As clients read it, such as `no_capacity`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean retryable() {
        return blame == Blame.LOAD;
    }
}
