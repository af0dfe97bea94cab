package dev.caisson.rest.runs;

import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Response;

/// Answer 202 to a request for a run that goes on without its caller.
///
/// @param url where it can be looked at
public record AcceptedRun(
        String traceId,
        String executionId,
        @Describe("Alias of execution_id.") String runId,
        String status,
        String url) {
    static AcceptedRun running(String traceId, String id) {
        return new AcceptedRun(traceId, id, id, "running", "/v1/executions/" + id);
    }

    Response.Whole response() {
        return Response.json(202, Records.tree(this))
                .with("Location", url)
                .with("Preference-Applied", RunOrder.PREFERENCE);
    }
}
