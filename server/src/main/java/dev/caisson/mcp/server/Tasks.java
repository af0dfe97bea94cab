package dev.caisson.mcp.server;

import dev.caisson.call.Caller;
import dev.caisson.call.Change;
import dev.caisson.call.Changes;
import dev.caisson.call.Question;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import dev.caisson.rpc.Rpc;
import dev.caisson.rpc.RpcError;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.Processes;
import dev.caisson.workflow.WorkflowProcess;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// Tasks, as a view of processes: what a client reads is always what is durable.
///
/// The data of a process holds what the client gets beside the status, under the protocol's own
/// names: `result`, `error` or `inputRequests`.
public final class Tasks {
    private static final String SERVER = "server";

    private final Processes processes;
    private final Changes changes;
    private final McpLimits limits;
    private final Map<String, TaskRun> running = new ConcurrentHashMap<>();

    public Tasks(Processes processes, Changes changes, McpLimits limits) {
        this.processes = processes;
        this.changes = changes;
        this.limits = limits;
    }

    /// Makes a task of running work. It is durable when this returns.
    TaskRun start(Caller caller, Cancellation work) {
        var process =
                processes.start(
                        Definition.TASK,
                        caller.id(),
                        Json.object(),
                        Optional.of(limits.tasks().keep()));
        var run = new TaskRun(process.id(), this, work);
        running.put(process.id(), run);
        return run;
    }

    void park(TaskRun run, Map<String, Question> questions) {
        var data = Json.object();
        var requests = data.putObject("inputRequests");
        questions.forEach((key, question) -> requests.set(key, QuestionJson.inline(question)));
        move(run.id(), "input_required", data, "asks the client");
    }

    void resume(TaskRun run) {
        move(run.id(), "working", Json.object(), "was answered");
    }

    void complete(TaskRun run, ObjectNode result) {
        var data = Json.object();
        data.set("result", result);
        end(run, "completed", data, "the tool returned");
    }

    void fail(TaskRun run, RpcError error) {
        end(run, "failed", failure(error), "the call broke");
    }

    void cancelled(TaskRun run) {
        end(run, "cancelled", Json.object(), "the work was stopped");
    }

    private void end(TaskRun run, String state, ObjectNode data, String reason) {
        move(run.id(), state, data, reason);
        running.remove(run.id());
    }

    private static ObjectNode failure(RpcError error) {
        var data = Json.object();
        data.set("error", Rpc.body(error));
        return data;
    }

    private void move(String id, String state, ObjectNode data, String reason) {
        processes
                .move(id, state, data, SERVER, reason)
                .ifPresent(moved ->
                        changes.announce(
                                new Change.ProcessMoved(
                                        id, caller -> caller.id().equals(moved.owner()))));
    }

    /// @throws Refusal NOT_FOUND when there is none, or it is another caller's
    ObjectNode get(Caller caller, String id) {
        return json(find(caller, id));
    }

    Optional<ObjectNode> look(Caller caller, String id) {
        return processes
                .find(id, caller.id())
                .filter(process -> process.is(Definition.TASK))
                .map(this::json);
    }

    void update(Caller caller, String id, ObjectNode responses) {
        find(caller, id);
        var run = running.get(id);
        if (run != null) {
            run.update(responses);
        }
    }

    void cancel(Caller caller, String id) {
        find(caller, id);
        move(id, "cancelled", Json.object(), "the client cancelled");
        var run = running.remove(id);
        if (run != null) {
            run.cancel();
        }
    }

    private WorkflowProcess find(Caller caller, String id) {
        return processes
                .find(id, caller.id())
                .filter(process -> process.is(Definition.TASK))
                .orElseThrow(() ->
                        new Refusal(
                                Reason.NOT_FOUND,
                                "Unknown task: it never existed, has expired, or belongs to another"
                                        + " caller"));
    }

    private ObjectNode json(WorkflowProcess process) {
        var json = Json.object();
        json.put("taskId", process.id()).put("status", process.state());
        json.put("createdAt", process.created().toString());
        json.put("lastUpdatedAt", process.updated().toString());
        process.keep()
                .ifPresentOrElse(
                        keep -> json.put("ttlMs", keep.toMillis()), () -> json.putNull("ttlMs"));
        json.put("pollIntervalMs", limits.tasks().poll().toMillis());
        process.data()
                .properties()
                .forEach(member -> json.set(member.getKey(), member.getValue().deepCopy()));
        if (json.get("inputRequests") instanceof ObjectNode requests) {
            var run = running.get(process.id());
            requests.retain(run == null ? Set.of() : run.openKeys());
        }
        return json;
    }

    /// Ends the tasks of servers that are gone: their work is gone with them.
    ///
    /// @return how many
    public int settleAbandoned() {
        var ended = 0;
        for (var process : processes.abandoned(Definition.TASK)) {
            if (!running.containsKey(process.id())) {
                stopped(process.id());
                ended++;
            }
        }
        return ended;
    }

    private void stopped(String id) {
        var error =
                RpcError.internal("The server stopped while this task was running.", Json.object());
        move(id, "failed", failure(error), "the server stopped");
    }

    /// Stops all work, and says why it ended.
    public void close() {
        running.forEach((id, run) -> {
            stopped(id);
            run.cancel();
        });
    }
}
