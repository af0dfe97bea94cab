package dev.caisson.rest.runs;

import dev.caisson.json.Json;
import dev.caisson.runs.LiveRun;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Identity of the execution whose events are sent.
///
/// @param owner the id of the caller it belongs to
record StreamedRun(
        String owner, String id, String traceId, String language, Optional<String> threadId) {
    static StreamedRun of(LiveRun run, String traceId) {
        return new StreamedRun(run.owner(), run.id(), traceId, run.language(), run.threadId());
    }

    /// @param result of one that is over, as it was kept
    static StreamedRun kept(String owner, JsonNode result) {
        return new StreamedRun(
                owner,
                result.path("run_id").stringValue(),
                result.path("trace_id").stringValue(),
                result.path("language").stringValue(),
                result.path("thread_id").stringValueOpt());
    }

    ObjectNode started() {
        return EventWriter.event("started")
                .put("trace_id", traceId)
                .put("execution_id", id)
                .put("run_id", id)
                .put("language", language)
                .set(
                        "thread_id",
                        threadId.<JsonNode>map(Json::tree).orElseGet(NullNode::getInstance));
    }
}
