package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.upstream.connection.CallDialogue.Unanswered;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Call on which an upstream works as a task: it is asked again and again how far it is, within the
/// time of the call, and told when nobody waits any more.
final class UpstreamTask {
    /// How long the name of a task may be.
    static final int ID_LENGTH_MAX = 512;

    /// How often it is asked, however often it wants to be.
    static final Duration PAUSE_MIN = Duration.ofMillis(100);

    static final Duration PAUSE_MAX = Duration.ofSeconds(10);

    /// Questions in a row that may fail.
    static final int FAILURES_MAX = 5;

    private static final Duration PAUSE_USUAL = Duration.ofSeconds(1);

    private final String id;
    private final Requests requests;
    private final boolean modern;
    private final Ask ask;
    private Duration pause;

    /// Sender of requests about the task.
    interface Requests {
        /// @return the result, whatever its type
        ObjectNode send(String method, ObjectNode params, Ask ask)
                throws UpstreamFailure, InterruptedException;

        /// Sends what nobody waits for.
        void tell(String method, ObjectNode params);
    }

    /// @param task as the upstream describes it
    private UpstreamTask(String id, JsonNode task, boolean modern, Requests requests, Ask ask) {
        this.id = id;
        this.modern = modern;
        this.requests = requests;
        this.ask = ask;
        this.pause = pause(task).orElse(PAUSE_USUAL);
    }

    /// The task that an answer describes; empty when it is a result.
    static Optional<UpstreamTask> in(ObjectNode answer, boolean modern, Requests requests, Ask ask)
            throws UpstreamFailure {
        var task =
                modern
                        ? answer.path("resultType").stringValue("").equals("task")
                                ? answer
                                : Json.object()
                        : answer.path("task");
        if (!task.has("taskId")) {
            return Optional.empty();
        }
        var id = task.path("taskId").stringValue("");
        if (id.isEmpty() || id.length() > ID_LENGTH_MAX) {
            throw ask.unanswered(
                    ToolErrorType.TOOL_FAILED, true, "works on it as a task without a name");
        }
        return Optional.of(new UpstreamTask(id, task, modern, requests, ask));
    }

    String id() {
        return id;
    }

    private Optional<Duration> pause(JsonNode task) {
        var said = task.path(modern ? "pollIntervalMs" : "pollInterval");
        return said.isIntegralNumber()
                ? Optional.of(
                        Duration.ofMillis(
                                Math.clamp(
                                        said.asLong(PAUSE_MAX.toMillis()),
                                        PAUSE_MIN.toMillis(),
                                        PAUSE_MAX.toMillis())))
                : Optional.empty();
    }

    /// Waits for its result.
    ObjectNode result() throws UpstreamFailure, InterruptedException {
        boolean over = false;
        try {
            for (var task = next(); ; task = next()) {
                pause = pause(task).orElse(pause);
                switch (task.path("status").stringValue("")) {
                    case "working" -> {}
                    case "input_required" -> {
                        var result = answered(task);
                        if (result.isPresent()) {
                            over = true;
                            return result.get();
                        }
                    }
                    case "completed" -> {
                        over = true;
                        return completed(task);
                    }
                    case "failed" -> {
                        over = true;
                        return failed(task);
                    }
                    case "cancelled" -> {
                        over = true;
                        throw ask.unanswered(
                                ToolErrorType.TOOL_FAILED, true, "ended its task without a result");
                    }
                    default ->
                            throw ask.unanswered(
                                    ToolErrorType.TOOL_FAILED, true, "says nothing of its task");
                }
            }
        } finally {
            if (!over) {
                requests.tell("tasks/cancel", named());
            }
        }
    }

    private ObjectNode named() {
        return Json.object().put("taskId", id);
    }

    private ObjectNode next() throws UpstreamFailure, InterruptedException {
        for (int failures = 0; ; failures++) {
            if (ask.deadline().left().compareTo(pause) <= 0) {
                Thread.sleep(ask.deadline().left());
                throw ask.timedOut(true);
            }
            Thread.sleep(pause);
            try {
                return requests.send("tasks/get", named(), plain());
            } catch (UpstreamFailure failed) {
                if (ask.deadline().isOver()) {
                    throw ask.timedOut(true);
                }
                if (failed.type() != ToolErrorType.UPSTREAM_UNAVAILABLE
                        || failures == FAILURES_MAX) {
                    throw unknown(failed);
                }
            }
        }
    }

    /// It may have gone on all the same.
    private UpstreamFailure unknown(UpstreamFailure failed) {
        return ask.changing()
                ? ask.unanswered(failed.type(), true, "no longer says how far its task is")
                : failed;
    }

    private Ask plain() {
        return Ask.plain(ask.server(), ask.deadline(), ask.bytesMax());
    }

    private ObjectNode completed(JsonNode task) throws UpstreamFailure, InterruptedException {
        if (!modern) {
            return older();
        }
        if (task.path("result") instanceof ObjectNode result) {
            return result;
        }
        throw ask.unanswered(ToolErrorType.TOOL_FAILED, true, "ended its task without a result");
    }

    private ObjectNode failed(JsonNode task) throws UpstreamFailure, InterruptedException {
        return modern ? Connection.refused(task.path("error"), ask) : older();
    }

    private ObjectNode older() throws UpstreamFailure, InterruptedException {
        try {
            return requests.send("tasks/result", named(), ask);
        } catch (UpstreamFailure failed) {
            throw failed.type() == ToolErrorType.UPSTREAM_UNAVAILABLE ? unknown(failed) : failed;
        }
    }

    /// @return the result, where the answer to its question is followed by it
    private Optional<ObjectNode> answered(ObjectNode task)
            throws UpstreamFailure, InterruptedException {
        if (!ask.dialogue().answers()) {
            throw Connection.inputRequired(ask);
        }
        if (!modern) {
            // It asks while it is asked for its result.
            return Optional.of(older());
        }
        var wanted = task.path("inputRequests");
        var responses = Json.object();
        for (var each : wanted.properties()) {
            responses.set(each.getKey(), answered(each.getValue()));
        }
        if (!responses.isEmpty()) {
            requests.send("tasks/update", withResponses(responses), plain());
        }
        return Optional.empty();
    }

    private ObjectNode withResponses(ObjectNode responses) {
        var params = named();
        params.set("inputResponses", responses);
        return params;
    }

    private ObjectNode answered(JsonNode request) throws UpstreamFailure, InterruptedException {
        try {
            if (request.path("method").stringValue("").equals(ServerMessages.FORM)
                    && request.path("params") instanceof ObjectNode params) {
                return ask.dialogue().fill(params);
            }
        } catch (Unanswered nobody) {
            // As any other question that nobody answers.
        }
        throw Connection.inputRequired(ask);
    }
}
