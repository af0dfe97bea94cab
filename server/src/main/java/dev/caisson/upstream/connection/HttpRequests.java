package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import dev.caisson.rpc.HeaderText;
import dev.caisson.rpc.Revision;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Requests of one connection over Streamable HTTP: their headers say what was agreed on, and a
/// server that keeps a session names it once and gets the name with every request.
final class HttpRequests {
    static final String JSON = "application/json";
    static final String EVENTS = "text/event-stream";

    /// Of what is read of an answer that says little.
    static final int SMALL_ANSWER_BYTES = 64 << 10;

    /// How long a message may take that nobody waits for.
    static final Duration FAREWELL_MAX = Duration.ofSeconds(2);

    private static final Pattern SESSION = Pattern.compile("[\\x21-\\x7e]{1,1024}");
    private static final String SESSION_HEADER = "Mcp-Session-Id";

    private final URI address;
    private volatile Map<String, String> credentials = Map.of();
    private volatile Revision revision = Revision.R2026_07_28;
    private volatile Optional<String> session = Optional.empty();

    HttpRequests(URI address) {
        this.address = address;
    }

    /// @param headers that present credentials from now on
    void present(Map<String, String> headers) {
        credentials = Map.copyOf(headers);
    }

    boolean modern() {
        return revision.modern();
    }

    void agree(Revision agreed) {
        revision = agreed;
    }

    boolean hasSession() {
        return session.isPresent();
    }

    void keepSession(OutgoingAnswer answer) {
        session = answer.header(SESSION_HEADER).filter(SESSION.asMatchPredicate());
    }

    private Map<String, String> headers(String method) {
        var headers = new HashMap<>(credentials);
        headers.put("Accept", JSON + ", " + EVENTS);
        headers.put("MCP-Protocol-Version", revision.word());
        if (revision.modern()) {
            headers.put("Mcp-Method", method);
        }
        session.ifPresent(name -> headers.put(SESSION_HEADER, name));
        return headers;
    }

    OutgoingRequest request(ClientRequest request, Ask ask) {
        var headers = headers(request.method());
        request.name().ifPresent(name -> headers.put("Mcp-Name", HeaderText.encoded(name)));
        headers.putAll(request.arguments());
        ask.traceparent().ifPresent(trace -> headers.put("traceparent", trace));
        ask.key().ifPresent(key -> headers.put(CallOptions.KEY_HEADER, key));
        if (request.method().equals("initialize")) {
            headers.remove("MCP-Protocol-Version");
        }
        return post(request.message(), headers, ask, ask.bytesMax());
    }

    OutgoingRequest notification(ObjectNode notification, Ask ask) {
        var headers = headers(notification.path("method").stringValue(""));
        return post(notification, headers, ask, SMALL_ANSWER_BYTES);
    }

    private OutgoingRequest post(
            ObjectNode message, Map<String, String> headers, Ask ask, long bytesMax) {
        return new OutgoingRequest(
                "POST",
                address,
                headers,
                Optional.of(new OutgoingRequest.Body(JSON, Json.bytes(message))),
                Optional.of(ask.deadline()),
                bytesMax,
                ask.changing(),
                ask.onSent());
    }

    /// The stream on which a server says by itself what happens.
    OutgoingRequest changes(Optional<String> lastId) {
        if (!revision.modern()) {
            return events(lastId, Optional.empty());
        }
        var params = ClientMeta.on(Json.object());
        params.putObject("notifications").put("toolsListChanged", true);
        var request = ClientRequest.of("subscriptions/listen", params);
        return new OutgoingRequest(
                "POST",
                address,
                headers(request.method()),
                Optional.of(new OutgoingRequest.Body(JSON, Json.bytes(request.message()))),
                Optional.empty(),
                ChangeStream.BYTES_MAX,
                true,
                () -> {});
    }

    /// @param lastId after which the events are wanted
    OutgoingRequest events(Optional<String> lastId, Optional<Deadline> deadline) {
        var headers = headers("");
        headers.put("Accept", EVENTS);
        lastId.ifPresent(id -> headers.put("Last-Event-ID", id));
        return new OutgoingRequest(
                "GET",
                address,
                headers,
                Optional.empty(),
                deadline,
                ChangeStream.BYTES_MAX,
                true,
                () -> {});
    }

    /// Ends the session, where there is one.
    Optional<OutgoingRequest> farewell() {
        if (session.isEmpty()) {
            return Optional.empty();
        }
        var headers = headers("");
        session = Optional.empty();
        return Optional.of(
                new OutgoingRequest(
                        "DELETE",
                        address,
                        headers,
                        Optional.empty(),
                        Optional.of(Deadline.in(FAREWELL_MAX)),
                        SMALL_ANSWER_BYTES,
                        false,
                        () -> {}));
    }
}
