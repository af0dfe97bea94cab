package dev.caisson.policy;

import dev.caisson.json.Describe;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers about approvals, as doors give them.
public final class ApprovalAnswers {
    private ApprovalAnswers() {}

    public record ApprovalPlace(String file, int line) {
        static Optional<ApprovalPlace> of(JsonNode at) {
            return at.isObject()
                    ? Optional.of(
                            new ApprovalPlace(
                                    at.path("file").asString(""), at.path("line").asInt(0)))
                    : Optional.empty();
        }
    }

    public record ApprovalShown(
            String id,
            Approval.State state,
            @Describe("The id of the key that calls.") String caller,
            String callerName,
            @Describe("Of the program that calls; null for a direct call.")
                    Optional<String> executionId,
            @Describe("Of the call in its execution.") Optional<Integer> number,
            String callId,
            @Describe("Such as github/create_issue.") String tool,
            @Describe("read, write, destroy or unknown.") String effect,
            @Describe("Where the call came in.") String door,
            @Describe("The rule that asks.") String rule,
            @Describe("Why, as that rule says.") Optional<String> reason,
            @Describe("Without secrets; null where they take more than 16 KiB.")
                    Optional<JsonNode> arguments,
            @Describe("The first part of larger ones, as text.") Optional<String> argumentsStart,
            @Describe("Where in its program the call is, by the word of that.")
                    Optional<ApprovalPlace> at,
            @Describe("It ends when nobody decides by then.") String expiresAt,
            String createdAt,
            Optional<String> decidedAt,
            @Describe("The name of the key that decided, or what ended it.")
                    Optional<String> decidedBy,
            @Describe("How far it was approved.") Optional<Approval.Scope> scope,
            @Describe("What the one who decided said.") Optional<String> decisionReason) {
        public static ApprovalShown of(Approval one) {
            var details = one.details();
            var bound = one.bound();
            var decided = one.decision();
            return new ApprovalShown(
                    one.id(),
                    one.state(),
                    bound.caller(),
                    details.path("caller_name").asString(""),
                    bound.executionId(),
                    Optional.of(details.path("number").asInt(0)).filter(number -> number > 0),
                    bound.callId(),
                    bound.server() + "/" + bound.tool(),
                    details.path("effect").asString("unknown"),
                    details.path("door").asString(""),
                    details.path("rule").asString(""),
                    details.path("reason").stringValueOpt(),
                    Optional.of(details.path("arguments")).filter(JsonNode::isObject),
                    details.path("arguments_start").stringValueOpt(),
                    ApprovalPlace.of(details.path("at")),
                    one.expires().toString(),
                    one.created().toString(),
                    decided.map(Approval.Decided::at).map(Instant::toString),
                    decided.map(Approval.Decided::by),
                    decided.flatMap(Approval.Decided::scope),
                    decided.flatMap(Approval.Decided::reason));
        }
    }

    public record ApprovalDetail(
            ApprovalShown approval,
            @Describe("What was approved last for this key and tool, to compare with.")
                    Optional<JsonNode> lastApprovedArguments) {
        public static ApprovalDetail of(Approval one, Optional<ObjectNode> last) {
            return new ApprovalDetail(ApprovalShown.of(one), last.map(JsonNode.class::cast));
        }
    }

    public record ApprovalList(
            @Describe("The newest first.") List<ApprovalShown> approvals,
            Optional<String> nextCursor) {}
}
