package dev.caisson.rest;

import dev.caisson.json.Json;
import dev.caisson.tools.LiveRun;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// The execution whose events are sent.
///
/// @param owner the id of the caller it belongs to
record Shown(String owner, String id, String traceId, String language, Optional<String> threadId) {
    static Shown of(LiveRun run, String traceId) {
        return new Shown(run.owner(), run.id(), traceId, run.language(), run.threadId());
    }

    /// @param result of one that is over
    static Shown of(String owner, JsonNode result) {
        return new Shown(
                owner,
                result.path("run_id").stringValue(),
                result.path("trace_id").stringValue(),
                result.path("language").stringValue(),
                result.path("thread_id").stringValueOpt());
    }

    ObjectNode started() {
        return Events.event("started")
                .put("trace_id", traceId)
                .put("run_id", id)
                .put("language", language)
                .set(
                        "thread_id",
                        threadId.<JsonNode>map(Json::tree).orElseGet(NullNode::getInstance));
    }
}
