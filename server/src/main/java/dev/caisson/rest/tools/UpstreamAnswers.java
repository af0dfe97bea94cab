package dev.caisson.rest.tools;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Json;
import dev.caisson.json.Named;
import dev.caisson.upstream.EntryMask;
import dev.caisson.upstream.Peer;
import dev.caisson.upstream.ReviewedTool;
import dev.caisson.upstream.StoredUpstream;
import dev.caisson.upstream.ToolState;
import dev.caisson.upstream.UpstreamSettings;
import dev.caisson.upstream.UpstreamView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers about upstreams and their tools. None has the value of a secret.
final class UpstreamAnswers {
    private UpstreamAnswers() {}

    record ToolCounts(
            int approved, @Named("new") int fresh, int changed, int removed, int refused) {
        static ToolCounts of(Map<ToolState, Integer> counts) {
            return new ToolCounts(
                    counts.getOrDefault(ToolState.APPROVED, 0),
                    counts.getOrDefault(ToolState.NEW, 0),
                    counts.getOrDefault(ToolState.CHANGED, 0),
                    counts.getOrDefault(ToolState.REMOVED, 0),
                    counts.getOrDefault(ToolState.REFUSED, 0));
        }
    }

    record UpstreamSummary(
            String id,
            String title,
            @Describe("What programs import, and the first part of the names of its tools.")
                    String module,
            @Describe("file: it stands in the file of upstreams.file and is changed only there.")
                    StoredUpstream.Origin origin,
            @Describe("url or command.") String kind,
            @Describe("idle, starting, ready, backing_off or broken, as this server sees it.")
                    String state,
            @Describe("Null while all is well.") Optional<String> lastError,
            @Describe("What to do; null where there is nothing to do.") Optional<String> remedy,
            UpstreamSettings.Trust trust,
            UpstreamSettings.Review review,
            @Describe("How many tools there are in each state.") ToolCounts tools,
            @Describe("When this server listed its tools last, also in vain.")
                    Optional<String> listedAt,
            @Describe("Of the protocol that it speaks.") Optional<String> era,
            @Describe("Whether a person can connect it: its tokens come by OAuth.")
                    boolean connectable,
            String createdAt,
            String updatedAt) {
        static UpstreamSummary of(UpstreamView view) {
            var settings = view.settings();
            return new UpstreamSummary(
                    settings.id(),
                    settings.title(),
                    settings.module(),
                    view.stored().origin(),
                    settings.peer() instanceof Peer.Command ? "command" : "url",
                    view.state(),
                    view.trouble(),
                    view.remedy(),
                    settings.trust(),
                    settings.review(),
                    ToolCounts.of(view.tools()),
                    view.listed().map(Instant::toString),
                    view.era(),
                    settings.isConnectable(),
                    view.stored().created().toString(),
                    view.stored().updated().toString());
        }
    }

    record UpstreamList(
            List<UpstreamSummary> upstreams,
            @Describe("Whether commands are taken over REST: upstreams.api_commands.")
                    boolean commandsAllowed) {}

    record Upstream(
            @Inline UpstreamSummary summary,
            @Describe(
                            "As it was written. Values of headers and variables that name no secret of"
                                    + " the vault, and what follows ? in its URL, are not shown.")
                    ObjectNode entry) {
        static Upstream of(UpstreamView view) {
            return new Upstream(UpstreamSummary.of(view), EntryMask.of(view.stored().given()));
        }
    }

    record UpstreamTool(
            @Describe("As the upstream names it: a stranger's text, like its definitions.")
                    String name,
            ToolState state,
            @Describe("Why it is refused.") Optional<String> reason,
            @Describe("As Python programs name it; null before it is approved.")
                    Optional<String> function,
            Optional<String> jsFunction,
            @Describe("What its calls may do.") ToolEffect effect,
            @Describe("Of the definition below: send it with a decision.") String hash,
            @Describe("As the upstream sent it last, raw: escape it where you show it.")
                    JsonNode definition,
            @Describe("The one that may be called, where it is another than the last.")
                    Optional<JsonNode> approvedDefinition,
            String seenAt,
            Optional<String> reviewedAt,
            @Describe("Who decided, or what took it without a person.")
                    Optional<String> reviewedBy) {
        static UpstreamTool of(UpstreamSettings settings, ReviewedTool tool) {
            return new UpstreamTool(
                    tool.name(),
                    tool.state(),
                    tool.reason(),
                    tool.pythonName(),
                    tool.jsName(),
                    tool.effectBy(settings),
                    tool.hash(),
                    Json.parse(tool.definition()),
                    tool.approval()
                            .filter(approved -> !approved.hash().equals(tool.hash()))
                            .map(approved -> Json.parse(approved.definition())),
                    tool.seen().toString(),
                    tool.decision().map(one -> one.at().toString()),
                    tool.decision().map(ReviewedTool.Decision::by));
        }
    }

    record UpstreamToolList(List<UpstreamTool> tools, Optional<String> nextCursor) {}

    record DecidedTool(String name, ToolState state) {
        static DecidedTool of(ReviewedTool tool) {
            return new DecidedTool(tool.name(), tool.state());
        }
    }

    record DecidedTools(List<DecidedTool> tools) {}
}
