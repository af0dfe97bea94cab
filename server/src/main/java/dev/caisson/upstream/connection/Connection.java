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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Connection to one upstream over which its revision of the protocol is spoken. Several calls may
/// be under way at once. What was closed once stays closed; a [ServerLink] makes another one.
public final class Connection implements AutoCloseable {
    /// The longest text of an error that is passed on.
    static final int ERROR_TEXT_MAX = 4_096;

    private static final int SMALL_ANSWER_BYTES = 1 << 20;

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
        return result(transport.request(ClientRequest.of("tools/list", meta(params)), ask), ask);
    }

    /// Calls a tool. To cancel, interrupt: the upstream is told.
    public UpstreamResult callTool(String tool, ObjectNode arguments, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        var headers =
                about.era() == Era.MODERN
                        ? options.inputSchema()
                                .map(schema -> MirroredArguments.headers(schema, arguments))
                                .orElse(Map.of())
                        : Map.<String, String>of();
        var request = ClientRequest.call(tool, meta(params), headers);
        return new UpstreamResult(answer(request, options, Connection::withContent));
    }

    /// Reads a resource. To cancel, interrupt: the upstream is told.
    public UpstreamResult readResource(String uri, CallOptions options)
            throws UpstreamFailure, InterruptedException {
        var request = ClientRequest.read(uri, meta(Json.object().put("uri", uri)));
        return new UpstreamResult(answer(request, options, Connection::withContents));
    }

    /// Looks at the shape of a result.
    @FunctionalInterface
    private interface ResultCheck {
        ObjectNode of(ObjectNode result, Ask ask) throws UpstreamFailure;
    }

    private ObjectNode answer(ClientRequest request, CallOptions options, ResultCheck check)
            throws UpstreamFailure, InterruptedException {
        var meta = request.params().withObjectProperty("_meta");
        meta.put(MetaMember.PROGRESS, request.id());
        options.traceparent().ifPresent(trace -> meta.put(MetaMember.TRACE, trace));
        options.key().ifPresent(key -> meta.put(CallOptions.KEY_MEMBER, key));
        var ask =
                new Ask(
                        server,
                        options.deadline(),
                        resultBytesMax,
                        options.changing(),
                        options.traceparent(),
                        options.key(),
                        options.onSent(),
                        options.onProgress());
        underWay.incrementAndGet();
        try {
            return check.of(result(transport.request(request, ask), ask), ask);
        } finally {
            lastCall = System.nanoTime();
            lastHeard = lastCall;
            underWay.decrementAndGet();
        }
    }

    private ObjectNode meta(ObjectNode params) {
        return about.era() == Era.MODERN ? ClientMeta.on(params) : params;
    }

    private static ObjectNode result(IncomingMessage.Response response, Ask ask)
            throws UpstreamFailure {
        if (response.error().isPresent()) {
            throw failed(response.error().get(), ask);
        }
        if (response.result().orElse(Json.array()) instanceof ObjectNode result) {
            return typed(result, ask);
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

    private static UpstreamFailure inputRequired(Ask ask) {
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

    private static UpstreamFailure failed(JsonNode error, Ask ask) {
        if (error.path("code").intValue(0) == URL_ELICITATION_REQUIRED) {
            return inputRequired(ask);
        }
        var said = error.path("message").stringValue("");
        var text = said.length() <= ERROR_TEXT_MAX ? said : said.substring(0, ERROR_TEXT_MAX) + "…";
        return ask.refused(ToolErrorType.TOOL_FAILED, "refused: " + text);
    }

    /// Asks whether the upstream is there. Any answer of the protocol shows that it is.
    void ping(Deadline deadline) throws UpstreamFailure, InterruptedException {
        var request =
                about.era() == Era.MODERN
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
