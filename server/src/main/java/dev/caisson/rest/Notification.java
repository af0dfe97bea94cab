package dev.caisson.rest;

import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.json.Json;
import dev.caisson.tools.LiveRun;
import dev.caisson.webhooks.Webhooks;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Sees to it that whoever waits elsewhere hears how a run ended.
final class Notification implements Witness {
    private static final String FAILED = "execution.failed";

    private final Webhooks webhooks;
    private final String owner;
    private final String url;
    private Optional<String> id = Optional.empty();

    Notification(Webhooks webhooks, String owner, String url) {
        this.webhooks = webhooks;
        this.owner = owner;
        this.url = url;
    }

    @Override
    public void began(LiveRun run) {
        id = Optional.of(run.id());
        webhooks.expect(run.id(), owner, url);
    }

    @Override
    public void ended(JsonNode result) {
        webhooks.ready(id.orElseThrow(), "execution.completed", result);
    }

    @Override
    public void failed(Throwable failure) {
        id.ifPresent(run -> webhooks.ready(run, FAILED, data(run, error(failure))));
    }

    /// For a run that a former server could not end.
    static void lost(Webhooks webhooks, String executionId) {
        webhooks.ready(executionId, FAILED, data(executionId, stopped()));
    }

    private static JsonNode data(String executionId, JsonNode error) {
        var data = Json.object().put("run_id", executionId).put("status", "failed");
        data.set("error", error);
        return data;
    }

    private static JsonNode error(Throwable failure) {
        return switch (failure) {
            case Refusal refusal -> ErrorBody.of(refusal).tree();
            case InterruptedException _ -> stopped();
            default -> ErrorBody.of("internal", "The server failed at this run.").tree();
        };
    }

    private static JsonNode stopped() {
        return ErrorBody.of("unavailable", "The server stopped while this ran.").tree();
    }
}
