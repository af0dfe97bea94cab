package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import dev.caisson.rpc.EventReader;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ObjectNode;

/// HTTP+SSE, the transport of 2024-11-05: answers come on one stream, whose first event names the
/// address to which messages are posted.
final class SseTransport implements MessageTransport {
    private static final int REPLY_BYTES_MAX = 64 << 10;
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(2);

    private final OutgoingHttp http;
    private final URI address;
    private final Map<String, String> credentials;
    private final int bytesMax;
    private final ServerMessages messages;
    private final ReadBudget budget;
    private final PendingAnswers pending;
    private final CompletableFuture<URI> endpoint = new CompletableFuture<>();
    private final Thread reader;
    private final Openness openness = new Openness();
    private volatile Ended ended = new Ended(ToolErrorType.UPSTREAM_UNAVAILABLE, "");

    /// Why there is no stream any more.
    private record Ended(ToolErrorType type, String what) {}

    /// @param bytesMax of one message
    SseTransport(
            OutgoingHttp http,
            URI address,
            Map<String, String> credentials,
            int bytesMax,
            ServerMessages messages,
            ReadBudget budget) {
        this.http = http;
        this.address = address;
        this.credentials = Map.copyOf(credentials);
        this.bytesMax = bytesMax;
        this.messages = messages;
        this.budget = budget;
        this.pending = new PendingAnswers(messages);
        this.reader = Thread.ofVirtual().name("upstream-events").start(this::read);
    }

    private void read() {
        var headers = new HashMap<>(credentials);
        headers.put("Accept", "text/event-stream");
        var request =
                new OutgoingRequest(
                        "GET",
                        address,
                        headers,
                        Optional.empty(),
                        Optional.empty(),
                        Long.MAX_VALUE,
                        true,
                        () -> {});
        try (var answer = http.send(request);
                var lease = budget.lease()) {
            if (answer.status() == 401) {
                fail(
                        ToolErrorType.AUTHORIZATION_REQUIRED,
                        "does not take the credentials it was given");
            } else if (answer.status() != 200 || !answer.mediaType().equals("text/event-stream")) {
                end("offers no stream of events");
            } else {
                pass(answer, lease);
                end("ended its stream");
            }
        } catch (EventReader.EventTooLong tooLong) {
            openness.garble();
            pending.tooLong();
        } catch (ReadBudget.Exhausted full) {
            fail(ToolErrorType.NO_CAPACITY, "answered while the server has no memory for more");
        } catch (EgressFailure failed) {
            end("cannot be reached: " + failed.sentence());
        } catch (IOException | ProtocolError malformed) {
            fail(ToolErrorType.TOOL_FAILED, "sent what is no message of the protocol");
        } catch (InterruptedException closed) {
            end("was stopped");
        }
    }

    private void pass(OutgoingAnswer answer, ReadBudget.Lease lease) throws IOException {
        var events = new EventReader(lease.counting(answer.body()), bytesMax);
        for (var next = events.next();
                next.isPresent() && openness.isOpen();
                next = events.next()) {
            var event = next.get();
            if (event.type().equals("endpoint")) {
                meet(new String(event.data(), StandardCharsets.UTF_8));
            } else if (event.data().length > 0) {
                pending.take(IncomingMessage.answer(event.data()), this::refuse);
            }
            lease.giveBack();
        }
    }

    /// Messages carry the credentials, so they go where the stream came from and nowhere else.
    private void meet(String said) {
        try {
            var whole = address.resolve(said.strip());
            if (sameOrigin(whole)) {
                endpoint.complete(whole);
                return;
            }
        } catch (IllegalArgumentException malformed) {
            // It is not one of this server either.
        }
        fail(
                ToolErrorType.UPSTREAM_UNAVAILABLE,
                "names an address for messages that is not its own");
    }

    private boolean sameOrigin(URI other) {
        return Objects.equals(address.getScheme(), other.getScheme())
                && Objects.equals(address.getHost(), other.getHost())
                && address.getPort() == other.getPort()
                && other.getRawUserInfo() == null;
    }

    private void refuse(IncomingMessage.Request asked) {
        try {
            send(messages.answer(asked));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(IncomingMessage.Request asked, Ask ask) throws InterruptedException {
        send(messages.answer(asked, ask));
    }

    private void send(ObjectNode answer) throws InterruptedException {
        try {
            notify(answer, Ask.plain("", Deadline.in(FAREWELL_MAX), REPLY_BYTES_MAX));
        } catch (UpstreamFailure unheard) {
            messages.drop();
        }
    }

    private void end(String what) {
        fail(ToolErrorType.UPSTREAM_UNAVAILABLE, what);
    }

    private void fail(ToolErrorType type, String what) {
        if (type == ToolErrorType.TOOL_FAILED) {
            openness.garble();
        }
        openness.close();
        pending.fail((ask, sent) -> ask.unanswered(type, sent, what));
        ended = new Ended(type, what);
        endpoint.completeExceptionally(new IOException(what));
    }

    @Override
    public IncomingMessage.Response request(ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var each = pending.expect(request, ask);
        try {
            post(request.message(), ask, each::send);
        } catch (InterruptedException cancelled) {
            pending.forget(each);
            if (each.isSent()) {
                leave(request);
            }
            throw cancelled;
        } catch (UpstreamFailure failed) {
            pending.forget(each);
            throw failed;
        }
        return pending.await(each, this::answer, () -> leave(request));
    }

    private void leave(ClientRequest request) {
        Thread.ofVirtual()
                .name("cancellation")
                .start(() -> {
                    var ask = Ask.plain("", Deadline.in(FAREWELL_MAX), REPLY_BYTES_MAX);
                    try {
                        notify(request.cancellation("nobody waits any more"), ask);
                    } catch (UpstreamFailure | InterruptedException unheard) {
                        // It is told once, and need not listen.
                    }
                });
    }

    @Override
    public void notify(ObjectNode notification, Ask ask)
            throws UpstreamFailure, InterruptedException {
        post(notification, ask, () -> {});
    }

    private void post(ObjectNode message, Ask ask, Runnable onSent)
            throws UpstreamFailure, InterruptedException {
        var headers = new HashMap<>(credentials);
        headers.put("Accept", "application/json, text/event-stream");
        ask.traceparent().ifPresent(trace -> headers.put("traceparent", trace));
        ask.key().ifPresent(key -> headers.put(CallOptions.KEY_HEADER, key));
        var request =
                new OutgoingRequest(
                        "POST",
                        endpoint(ask),
                        headers,
                        Optional.of(
                                new OutgoingRequest.Body("application/json", Json.bytes(message))),
                        Optional.of(ask.deadline()),
                        REPLY_BYTES_MAX,
                        ask.changing(),
                        onSent);
        try (var answer = http.send(request)) {
            if (answer.status() / 100 != 2) {
                throw ask.refused(
                        ToolErrorType.UPSTREAM_UNAVAILABLE,
                        "answered with status %d".formatted(answer.status()));
            }
            answer.bytes();
        } catch (EgressFailure failed) {
            throw failed.kind() == EgressFailure.Kind.TIMED_OUT
                    ? ask.timedOut(failed.sent())
                    : ask.unanswered(
                            ToolErrorType.UPSTREAM_UNAVAILABLE,
                            failed.sent(),
                            "cannot be reached: " + failed.sentence());
        }
    }

    private URI endpoint(Ask ask) throws UpstreamFailure, InterruptedException {
        try {
            return endpoint.get(ask.deadline().left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw ask.timedOut(false);
        } catch (ExecutionException failed) {
            throw ask.unanswered(ended.type(), false, ended.what());
        }
    }

    @Override
    public void agree(Revision revision) {}

    @Override
    public void listen() {}

    @Override
    public Openness openness() {
        return openness;
    }

    @Override
    public void close() {
        openness.close();
        reader.interrupt();
        pending.fail((ask, sent) ->
                ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, sent, "was stopped"));
    }
}
