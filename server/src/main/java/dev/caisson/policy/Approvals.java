package dev.caisson.policy;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.ApprovalNeed;
import dev.caisson.broker.Consent;
import dev.caisson.call.Call;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.policy.Approval.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Consent of a person to calls. A call of a program waits for the decision as long as its run, any
/// other a short time: then its caller is told that it waits, and a decision that comes later is
/// kept for a while and used up by the next equal call.
public final class Approvals implements Consent {
    /// How long a decision is kept for the next equal call.
    public static final Duration KEPT = Duration.ofMinutes(10);

    /// How often whoever waits looks for decisions that other servers made.
    private static final Duration LOOK = Duration.ofSeconds(1);

    static final String OTHER_DEFINITION = "the definition of the tool has changed";

    /// Removes secrets from arguments.
    @FunctionalInterface
    public interface Cleaning {
        JsonNode of(String tool, String caller, ObjectNode arguments);
    }

    private final ApprovalStore store;
    private final ApprovalSettings settings;
    private final Clock clock;
    private final KeyedDigest digest;
    private final Cleaning cleaning;
    private final ApprovalDesk.DefinitionCheck definitions;

    /// @param digest of arguments
    /// @param definitions asked again where a call is let go, whoever approved it
    public Approvals(
            ApprovalStore store,
            ApprovalSettings settings,
            Clock clock,
            KeyedDigest digest,
            Cleaning cleaning,
            ApprovalDesk.DefinitionCheck definitions) {
        this.store = store;
        this.settings = settings;
        this.clock = clock;
        this.digest = digest;
        this.cleaning = cleaning;
        this.definitions = definitions;
    }

    @Override
    public void obtain(Call call, ActionRequest action, ApprovalNeed need)
            throws InterruptedException {
        var question = ApprovalQuestion.of(call, action, need, digest, cleaning);
        var expires = clock.instant().plus(need.expires().orElse(settings.expires()));
        Approval settled;
        do {
            var asked = store.ask(question, expires);
            call.notes().approval(asked.state().word());
            settled = settled(call, question, asked);
            call.notes().approval(settled.state().word());
        } while (!isForThis(question, settled));
        if (settled.state() != State.APPROVED) {
            throw refusal(action.name(), settled);
        }
        if (!definitions.isCurrent(settled.bound())) {
            call.notes().approval(State.WITHDRAWN.word());
            throw withdrawn(action.name(), ", because: " + OTHER_DEFINITION, settled);
        }
    }

    /// Of equal direct calls only one is made by an approval; the others ask again.
    private boolean isForThis(ApprovalQuestion question, Approval settled) {
        return question.nested()
                || settled.state() == State.PENDING
                || store.use(settled.id())
                || settled.state() != State.APPROVED;
    }

    private Approval settled(Call call, ApprovalQuestion question, Approval asked)
            throws InterruptedException {
        if (!question.nested()) {
            return decided(asked, clock.instant().plus(settings.clientWait()));
        }
        return asked.state() == State.PENDING ? awaited(call, asked) : asked;
    }

    /// However long it takes. Its run may stand still meanwhile, and goes on before this returns.
    private Approval awaited(Call call, Approval asked) throws InterruptedException {
        try {
            var wait = call.conversation().waitsForPerson(asked.id());
            try {
                return decided(asked, Instant.MAX);
            } finally {
                wait.over();
            }
        } catch (InterruptedException over) {
            store.withdraw(asked.id(), "the call ended before it was decided");
            throw over;
        }
    }

    /// As it is when it was decided, or at that moment.
    private Approval decided(Approval asked, Instant until) throws InterruptedException {
        long known = store.news();
        var now = asked.state() == State.PENDING ? store.settled(asked.id()) : asked;
        while (now.state() == State.PENDING && clock.instant().isBefore(until)) {
            store.awaitNews(known, shorter(LOOK, until));
            known = store.news();
            if (!definitions.isCurrent(asked.bound())) {
                store.withdraw(asked.id(), OTHER_DEFINITION);
            }
            if (store.mayBeDecided(asked, LOOK)) {
                now = store.settled(asked.id());
            }
        }
        return now;
    }

    private Duration shorter(Duration look, Instant until) {
        var end = clock.instant().plus(look);
        return until.isBefore(end) ? Duration.between(clock.instant(), until) : look;
    }

    private static Refusal refusal(String tool, Approval approval) {
        var details = new HashMap<String, Object>();
        details.put("approval_id", approval.id());
        var why =
                approval.decision()
                        .flatMap(Approval.Decided::reason)
                        .map(text -> ", because: " + text.strip().replaceAll("\\.$", ""))
                        .orElse("");
        return switch (approval.state()) {
            case DENIED ->
                    denied(
                            ToolErrorType.APPROVAL_DENIED,
                            "%s was not called: a person denied it%s.".formatted(tool, why),
                            details);
            case EXPIRED ->
                    denied(
                            ToolErrorType.APPROVAL_EXPIRED,
                            "%s was not called: nobody decided in time whether it may be."
                                    .formatted(tool),
                            details);
            case WITHDRAWN -> withdrawn(tool, why, approval);
            case PENDING, APPROVED -> waiting(tool, approval, details);
        };
    }

    private static Refusal withdrawn(String tool, String why, Approval approval) {
        return denied(
                ToolErrorType.APPROVAL_EXPIRED,
                "%s was not called: its approval was withdrawn%s.".formatted(tool, why),
                Map.of("approval_id", approval.id()));
    }

    private static Refusal denied(
            ToolErrorType type, String sentence, Map<String, Object> details) {
        return Refusal.of(type, Reason.DENIED, sentence, details);
    }

    private static Refusal waiting(String tool, Approval approval, Map<String, Object> details) {
        var url = "/v1/approvals/" + approval.id();
        details.put("approvals", List.of(Map.of("id", approval.id(), "url", url)));
        details.put("expires_at", approval.expires().toString());
        details.put("kept_seconds", KEPT.toSeconds());
        return new Refusal(
                Reason.WAITING_APPROVAL,
                "%s waits for the approval %s of a person. Make the same call again later: a decision is kept %d minutes for it."
                        .formatted(tool, approval.id(), KEPT.toMinutes()),
                details);
    }

    /// Withdraws what calls of programs waited for whose server is gone.
    ///
    /// @return how many
    public int settleAbandoned() {
        return store.withdrawAbandoned("the server stopped while it was waited for");
    }

    /// Ends what was waited for long enough.
    ///
    /// @return how many
    public int sweep() {
        return store.expire();
    }

    /// How many wait for a person now.
    public long pending() {
        return store.pending();
    }
}
