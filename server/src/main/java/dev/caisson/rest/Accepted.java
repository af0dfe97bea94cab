package dev.caisson.rest;

import dev.caisson.json.Records;

/// What is known of a run that goes on without whoever asked for it.
///
/// @param url where it can be looked at
record Accepted(String traceId, String runId, String status, String url) {
    static Accepted running(String traceId, String runId) {
        return new Accepted(traceId, runId, "running", "/v1/executions/" + runId);
    }

    Response.Whole response() {
        return Response.json(202, Records.tree(this))
                .with("Location", url)
                .with("Preference-Applied", Order.PREFERENCE);
    }
}
