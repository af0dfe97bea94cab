package dev.caisson.rest.runs;

import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.json.Json;
import dev.caisson.runs.LiveRun;
import dev.caisson.webhooks.Webhooks;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Webhook notification of how a run ended.
public final class WebhookNotification implements CallListener {
    private static final String FAILED = "execution.failed";

    private final Webhooks webhooks;
    private final String owner;
    private final String url;
    private Optional<String> id = Optional.empty();

    WebhookNotification(Webhooks webhooks, String owner, String url) {
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
    public void ended(RunResult result) {
        webhooks.ready(id.orElseThrow(), "execution.completed", result.json());
    }

    @Override
    public void failed(Throwable failure) {
        id.ifPresent(run -> webhooks.ready(run, FAILED, data(run, error(failure))));
    }

    /// For a run that a former server could not end.
    public static void lost(Webhooks webhooks, String executionId) {
        webhooks.ready(executionId, FAILED, data(executionId, stopped()));
    }

    private static JsonNode data(String executionId, JsonNode error) {
        var data =
                Json.object()
                        .put("execution_id", executionId)
                        .put("run_id", executionId)
                        .put("status", "failed");
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
