package dev.caisson.rest.runs;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Scope;
import dev.caisson.executions.Attempts;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.runs.RunRequest;
import java.util.List;

/// Route by which a person lets a task be tried again.
public record AttemptRoutes(Broker broker, Attempts attempts) {
    record TaskOfCaller(
            @Describe("As runs of this key named it.")
                    @Length(min = 1, max = RunRequest.TASK_LENGTH_MAX)
                    String task) {}

    record TaskReset(String task, @Describe("False when it had no failures.") boolean reset) {}

    public List<Route> routes() {
        return List.of(
                Route.post("/v1/attempts/reset")
                        .named("resetAttempts", "Let a task of this key be tried again")
                        .needing(Scope.RUN)
                        .taking(TaskOfCaller.class)
                        .giving(TaskReset.class)
                        .by(this::reset));
    }

    private Response reset(RouteRequest ask) throws InterruptedException {
        var task = ask.body(TaskOfCaller.class).task();
        return broker.act(
                RestConversation.inline(ask),
                ActionRequest.change("attempts_reset", Json.object().put("task", task)),
                call ->
                        Response.ok(
                                Records.tree(
                                        new TaskReset(
                                                task, attempts.reset(call.caller().id(), task)))));
    }
}
