package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Json;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Tool of an upstream with what was decided on it.
///
/// @param name as the upstream has it
/// @param reason why it is refused
/// @param hash of the definition that the upstream listed last; empty when only names are kept
/// @param definition that definition as it was received, as JSON
/// @param approval the definition that may be called, if one may
/// @param pythonName what programs call it, given with the first approval and never to another tool
/// @param effect what a person said of it in a review
/// @param seen when this definition was seen first
public record ReviewedTool(
        String name,
        ToolState state,
        Optional<String> reason,
        String hash,
        String definition,
        Optional<Approval> approval,
        Optional<String> pythonName,
        Optional<String> jsName,
        Optional<ToolEffect> effect,
        Instant seen,
        Optional<Decision> decision) {
    /// What stands for a refused definition that is too large to be kept.
    static final String NOT_KEPT = "{}";

    /// A definition that was approved.
    ///
    /// @param definition as it was received, as JSON
    public record Approval(String hash, String definition) {}

    /// When and by whom it was decided on last.
    ///
    /// @param by the name of a caller, or what took it without one
    public record Decision(Instant at, String by) {}

    /// What was approved, cleaned.
    Optional<ToolDefinition> approved() {
        return approval.map(one -> ToolDefinition.of((ObjectNode) Json.parse(one.definition())));
    }

    /// What its calls may do: what the operator said, else what the upstream says where it is
    /// believed.
    public ToolEffect effectBy(UpstreamSettings settings) {
        return settings.rule(name)
                .effect()
                .or(() -> effect)
                .orElseGet(() ->
                        settings.trust() == UpstreamSettings.Trust.TRUSTED
                                ? ToolDefinition.annotated(
                                        Json.parse(
                                                approval.map(Approval::definition)
                                                        .orElse(definition)))
                                : ToolEffect.UNKNOWN);
    }

    /// What its last definition says of it, cleaned.
    public String description() {
        return CleanText.description(Json.parse(definition).path("description").asString(""));
    }

    /// How long its definitions are.
    public int characters() {
        return definition.length() + approval.map(one -> one.definition().length()).orElse(0);
    }

    ReviewedTool in(ToolState newState, Optional<String> newReason) {
        return new ReviewedTool(
                name,
                newState,
                newReason,
                hash,
                definition,
                approval,
                pythonName,
                jsName,
                effect,
                seen,
                decision);
    }

    /// With the definition of the last list.
    ReviewedTool listed(String newHash, String newDefinition, Instant now) {
        return newHash.equals(hash)
                ? this
                : new ReviewedTool(
                        name,
                        state,
                        reason,
                        newHash,
                        newDefinition,
                        approval,
                        pythonName,
                        jsName,
                        effect,
                        now,
                        decision);
    }

    /// With the definition of the last list as the one that may be called.
    ReviewedTool approved(Optional<ToolEffect> newEffect, Decision by) {
        return new ReviewedTool(
                name,
                ToolState.APPROVED,
                Optional.empty(),
                hash,
                definition,
                Optional.of(new Approval(hash, definition)),
                pythonName,
                jsName,
                newEffect.or(() -> effect),
                seen,
                Optional.of(by));
    }

    /// Not to be called, whatever was approved before.
    ReviewedTool refused(Decision by) {
        return new ReviewedTool(
                name,
                ToolState.REFUSED,
                Optional.of(Drift.BY_PERSON),
                hash,
                definition,
                Optional.empty(),
                pythonName,
                jsName,
                effect,
                seen,
                Optional.of(by));
    }

    /// Nothing but the names it has in programs, which no other tool gets.
    ReviewedTool named() {
        return new ReviewedTool(
                name,
                ToolState.REMOVED,
                Optional.empty(),
                "",
                NOT_KEPT,
                Optional.empty(),
                pythonName,
                jsName,
                Optional.empty(),
                seen,
                Optional.empty());
    }

    ReviewedTool called(String newPythonName, String newJsName) {
        return new ReviewedTool(
                name,
                state,
                reason,
                hash,
                definition,
                approval,
                Optional.of(newPythonName),
                Optional.of(newJsName),
                effect,
                seen,
                decision);
    }
}
