package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.MetaMember;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Connection to one upstream over which its revision of the protocol is spoken. Several calls may
/// be under way at once. What was closed once stays closed; a [ServerLink] makes another one.
public final class Connection implements AutoCloseable {
    /// The longest text of an error that is passed on.
    static final int ERROR_TEXT_MAX = 4_096;

    private static final int SMALL_ANSWER_BYTES = 1 << 20;
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(2);

    /// URL elicitation, as 2025-11-25 asks for it.
    private static final int URL_ELICITATION_REQUIRED = -32042;

    private final String server;
    private final MessageTransport transport;
    private final ServerMessages messages;
    private final ServerAbout about;
    private final long resultBytesMax;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile long lastCall = System.nanoTime();
    private volatile long lastHeard = lastCall;
    private volatile Optional<Duration> listAge = Optional.empty();

    Connection(
            String server,
            MessageTransport transport,
            ServerMessages messages,
            ServerAbout about,
            long resultBytesMax) {
        this.server = server;
        this.transport = transport;
        this.messages = messages;
        this.about = about;
        this.resultBytesMax = resultBytesMax;
    }

    public ServerAbout about() {
        return about;
    }

    /// Definitions of all tools as they were received, from all pages.
    public List<ObjectNode> listTools(Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        var whole = Ask.plain(server, deadline, ToolPages.BYTES_MAX);
        underWay.incrementAndGet();
        try {
            var pages = new ToolPages(whole);
            var all = pages.all((params, bytesMax) -> page(params, bytesMax, deadline));
            listAge = pages.age();
            return all;
        } finally {
            lastHeard = System.nanoTime();
            underWay.decrementAndGet();
        }
    }

    /// How long its last list of tools counts, as it said.
    Optional<Duration> listAge() {
        return listAge;
    }

    private ObjectNode page(ObjectNode params, long bytesMax, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        var ask = Ask.plain(server, deadline, Math.max(1, bytesMax));
        var request = ClientRequest.of("tools/list", meta(params));
        return typed(result(transport.request(request, ask), ask), ask);
    }

    /// Calls a tool. To cancel, interrupt: the upstream is told.
    public UpstreamResult callTool(String tool, ObjectNode arguments, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        if (!isModern() && options.dialogue().wantsTask()) {
            params.putObject("task").put("ttl", options.deadline().left().toMillis());
        }
        var headers =
                isModern()
                        ? options.inputSchema()
                                .map(schema -> MirroredArguments.headers(schema, arguments))
                                .orElse(Map.of())
                        : Map.<String, String>of();
        return new UpstreamResult(
                answer(
                        params,
                        given -> ClientRequest.call(tool, given, headers),
                        options,
                        Connection::withContent));
    }

    /// Reads a resource. To cancel, interrupt: the upstream is told.
    public UpstreamResult readResource(String uri, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        return new UpstreamResult(
                answer(
                        Json.object().put("uri", uri),
                        given -> ClientRequest.read(uri, given),
                        options,
                        Connection::withContents));
    }

    private boolean isModern() {
        return about.era() == Era.MODERN;
    }

    /// Looks at the shape of a result.
    @FunctionalInterface
    private interface ResultCheck {
        ObjectNode of(ObjectNode result, Ask ask) throws UpstreamFailure;
    }

    private ObjectNode answer(
            ObjectNode params,
            Function<ObjectNode, ClientRequest> made,
            CallOptions options,
            ResultCheck check)
            throws UpstreamFailure, InterruptedException {
        var ask =
                new Ask(
                        server,
                        options.deadline(),
                        resultBytesMax,
                        options.changing(),
                        options.traceparent(),
                        options.key(),
                        options.onSent(),
                        options.onProgress(),
                        options.dialogue());
        underWay.incrementAndGet();
        try {
            return check.of(complete(params, made, ask), ask);
        } finally {
            lastCall = System.nanoTime();
            lastHeard = lastCall;
            underWay.decrementAndGet();
        }
    }

    /// The result, after all rounds of questions, and of a task its end.
    private ObjectNode complete(
            ObjectNode params, Function<ObjectNode, ClientRequest> made, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var given = isModern() ? continued(params, ask) : params;
        for (int round = 0; ; round++) {
            var request = made.apply(framed(given.deepCopy(), ask));
            var meta = request.params().withObjectProperty("_meta");
            meta.put(MetaMember.PROGRESS, request.id());
            ask.traceparent().ifPresent(trace -> meta.put(MetaMember.TRACE, trace));
            ask.key().ifPresent(key -> meta.put(CallOptions.KEY_MEMBER, key));
            var result = result(transport.request(request, ask), ask);
            if (isModern() && isInputRequired(result)) {
                given = nextRound(params, result, round, ask);
                continue;
            }
            var task = UpstreamTask.in(result, isModern(), tasks(), ask);
            if (task.isPresent()) {
                ask.dialogue().becameTask(task.get().id());
                return typed(task.get().result(), ask);
            }
            return typed(result, ask);
        }
    }

    private ObjectNode framed(ObjectNode params, Ask ask) {
        return isModern() ? ClientMeta.onCall(params, ask.dialogue().answers()) : params;
    }

    private static boolean isInputRequired(ObjectNode result) {
        return result.path("resultType").stringValue("").equals("input_required");
    }

    private static ObjectNode continued(ObjectNode params, Ask ask)
            throws UpstreamFailure, InterruptedException {
        try {
            return ask.dialogue().continued().map(round -> round.on(params)).orElse(params);
        } catch (CallDialogue.Unanswered nobody) {
            throw inputRequired(ask);
        }
    }

    private static ObjectNode nextRound(ObjectNode params, ObjectNode result, int round, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var state = Optional.ofNullable(result.get("requestState"));
        var sound = state.map(JsonNode::isString).orElse(true);
        if (!ask.dialogue().answers()
                || round >= PendingAnswers.QUESTIONS_MAX
                || !sound
                || !(result.path("inputRequests") instanceof ObjectNode requests)) {
            throw inputRequired(ask);
        }
        try {
            return ask.dialogue().fill(requests, state.map(JsonNode::stringValue)).on(params);
        } catch (CallDialogue.Unanswered nobody) {
            throw inputRequired(ask);
        }
    }

    private UpstreamTask.Requests tasks() {
        return new UpstreamTask.Requests() {
            @Override
            public ObjectNode send(String method, ObjectNode params, Ask ask)
                    throws UpstreamFailure, InterruptedException {
                return result(transport.request(request(method, params, ask), ask), ask);
            }

            private ClientRequest request(String method, ObjectNode params, Ask ask) {
                return ClientRequest.ofTask(
                        method, params.path("taskId").stringValue(), framed(params, ask));
            }

            @Override
            public void tell(String method, ObjectNode params) {
                Thread.ofVirtual().name("task-over").start(() -> heard(method, params));
            }

            private void heard(String method, ObjectNode params) {
                try {
                    send(
                            method,
                            params,
                            Ask.plain(server, Deadline.in(FAREWELL_MAX), SMALL_ANSWER_BYTES));
                } catch (UpstreamFailure | InterruptedException unheard) {
                    // It is told once, and need not listen.
                }
            }
        };
    }

    private ObjectNode meta(ObjectNode params) {
        return isModern() ? ClientMeta.on(params) : params;
    }

    private static ObjectNode result(IncomingMessage.Response response, Ask ask)
            throws UpstreamFailure {
        if (response.error().isPresent()) {
            return refused(response.error().get(), ask);
        }
        if (response.result().orElse(Json.array()) instanceof ObjectNode result) {
            return result;
        }
        throw ask.refused(ToolErrorType.TOOL_FAILED, "sent a result that is no object");
    }

    private static ObjectNode typed(ObjectNode result, Ask ask) throws UpstreamFailure {
        return switch (result.path("resultType").stringValue("complete")) {
            case "complete" -> result;
            case "input_required" -> throw inputRequired(ask);
            default ->
                    throw ask.refused(
                            ToolErrorType.TOOL_FAILED,
                            "sent a kind of result it was not asked for");
        };
    }

    static UpstreamFailure inputRequired(Ask ask) {
        return ask.refused(
                ToolErrorType.INPUT_REQUIRED, "asks for something that nobody here answers");
    }

    private static ObjectNode withContents(ObjectNode result, Ask ask) throws UpstreamFailure {
        if (!result.path("contents").isArray()) {
            throw ask.refused(ToolErrorType.TOOL_FAILED, "sent a resource without contents");
        }
        return result;
    }

    private static ObjectNode withContent(ObjectNode result, Ask ask) throws UpstreamFailure {
        var content = result.path("content");
        if (content.isMissingNode() ? !result.has("structuredContent") : !content.isArray()) {
            throw ask.refused(ToolErrorType.TOOL_FAILED, "sent a result without content");
        }
        return result;
    }

    /// An error of the protocol is an answer.
    static ObjectNode refused(JsonNode error, Ask ask) throws UpstreamFailure {
        if (error.path("code").intValue(0) == URL_ELICITATION_REQUIRED) {
            throw inputRequired(ask);
        }
        var said = error.path("message").stringValue("");
        var text = said.length() <= ERROR_TEXT_MAX ? said : said.substring(0, ERROR_TEXT_MAX) + "…";
        throw ask.refused(ToolErrorType.TOOL_FAILED, "refused: " + text);
    }

    /// Asks whether the upstream is there. Any answer of the protocol shows that it is.
    void ping(Deadline deadline) throws UpstreamFailure, InterruptedException {
        var request =
                isModern()
                        ? ClientRequest.of("server/discover", ClientMeta.on(Json.object()))
                        : ClientRequest.of("ping", Json.object());
        transport.request(request, Ask.plain(server, deadline, SMALL_ANSWER_BYTES));
        lastHeard = System.nanoTime();
    }

    public void onListChanged(Runnable heard) {
        messages.onListChanged(heard);
    }

    /// Whether requests can still be sent.
    public boolean isOpen() {
        return transport.openness().isOpen();
    }

    /// How many calls are under way.
    int underWay() {
        return underWay.get();
    }

    /// How long there has been no call.
    Duration sinceCall() {
        return Duration.ofNanos(System.nanoTime() - lastCall);
    }

    /// How long nothing was heard.
    Duration sinceHeard() {
        return Duration.ofNanos(System.nanoTime() - lastHeard);
    }

    /// Whether it was closed for what came over it, by a server that is there.
    boolean isGarbled() {
        return transport.openness().isGarbled();
    }

    /// How many messages came that nobody waited for.
    public long dropped() {
        return messages.dropped();
    }

    @Override
    public void close() {
        transport.close();
    }
}
