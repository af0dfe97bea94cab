package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.Revision;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.node.ObjectNode;

/// Streamable HTTP as a client speaks it, in both eras: each message is a POST of [HttpRequests],
/// whose answer is read by [HttpAnswers].
final class HttpTransport implements MessageTransport {
    private final OutgoingHttp http;
    private final RequestCredentials credentials;
    private final ServerMessages messages;
    private final HttpRequests requests;
    private final HttpAnswers answers;
    private final Openness openness = new Openness();
    private final Set<Ask> answering = ConcurrentHashMap.newKeySet();
    private volatile Optional<ChangeStream> changes = Optional.empty();

    HttpTransport(
            OutgoingHttp http,
            URI address,
            RequestCredentials credentials,
            ServerMessages messages,
            ReadBudget budget) {
        this.http = http;
        this.messages = messages;
        this.credentials = credentials;
        this.requests = new HttpRequests(address);
        this.answers =
                new HttpAnswers(
                        http,
                        requests,
                        messages,
                        budget,
                        openness,
                        new HttpFailures(openness),
                        this::answer);
    }

    @Override
    public IncomingMessage.Response request(ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        return switch (post(request, ask)) {
            case PostReply.Answered(var response) -> response;
            case PostReply.Accepted _ ->
                    throw ask.unanswered(
                            ToolErrorType.UPSTREAM_UNAVAILABLE,
                            true,
                            "took the call and said nothing");
            case PostReply.Refused refused -> throw HttpFailures.refusal(refused, ask);
        };
    }

    /// Before anything is agreed on, a refusal says what the server speaks.
    PostReply post(ClientRequest request, Ask ask) throws UpstreamFailure, InterruptedException {
        try (var _ = during(ask)) {
            return presenting(
                    () -> answers.to(requests.request(request, ask), Optional.of(request), ask));
        } catch (InterruptedException cancelled) {
            leave(request, "the caller left");
            throw cancelled;
        } catch (UpstreamFailure failed) {
            if (ask.deadline().isOver() && failed.sent()) {
                leave(request, "the time is over");
            }
            throw failed;
        }
    }

    /// While it is under way, its caller answers forms.
    private During during(Ask ask) {
        if (!ask.dialogue().answers()) {
            return () -> {};
        }
        answering.add(ask);
        return () -> answering.remove(ask);
    }

    @FunctionalInterface
    private interface During extends AutoCloseable {
        @Override
        void close();
    }

    @FunctionalInterface
    private interface Exchange {
        PostReply made() throws UpstreamFailure, InterruptedException;
    }

    /// What is refused for want of credentials is sent again once, if there are others.
    private PostReply presenting(Exchange exchange) throws UpstreamFailure, InterruptedException {
        var first = credentials.headers();
        requests.present(first);
        var reply = exchange.made();
        if (reply instanceof PostReply.Refused refused
                && (refused.status() == 401 || refused.status() == 403)
                && credentials.refused(refused.status(), refused.challenge(), first)) {
            requests.present(credentials.headers());
            return exchange.made();
        }
        return reply;
    }

    /// A closed stream is a cancellation in the modern era. In the others it is none.
    private void leave(ClientRequest request, String reason) {
        if (requests.modern() || request.method().equals("initialize") || !openness.isOpen()) {
            return;
        }
        Thread.ofVirtual()
                .name("cancellation")
                .start(() -> {
                    try {
                        notify(
                                request.cancellation(reason),
                                farewell(Deadline.in(HttpRequests.FAREWELL_MAX)));
                    } catch (UpstreamFailure | InterruptedException unheard) {
                        // It is told once, and need not listen.
                    }
                });
    }

    private static Ask farewell(Deadline deadline) {
        return Ask.plain("", deadline, HttpRequests.SMALL_ANSWER_BYTES);
    }

    @Override
    public void notify(ObjectNode notification, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var reply =
                presenting(() ->
                        answers.to(
                                requests.notification(notification, ask), Optional.empty(), ask));
        if (reply instanceof PostReply.Refused refused) {
            throw HttpFailures.refusal(refused, ask);
        }
    }

    private void answer(IncomingMessage.Request asked, Ask ask)
            throws UpstreamFailure, InterruptedException {
        if (requests.modern()) {
            messages.drop();
        } else {
            var answer = messages.answer(asked, ask);
            notify(answer, farewell(ask.deadline().orIn(HttpRequests.FAREWELL_MAX)));
        }
    }

    @Override
    public void agree(Revision agreed) {
        requests.agree(agreed);
    }

    @Override
    public void listen() {
        changes =
                Optional.of(
                        new ChangeStream(
                                lastId -> http.send(requests.changes(lastId)), this::heard));
    }

    private void heard(IncomingMessage message) {
        switch (message) {
            case IncomingMessage.Notification notification -> messages.heard(notification);
            case IncomingMessage.Response _ -> messages.drop();
            case IncomingMessage.Request asked ->
                    Thread.ofVirtual().name("question").start(() -> question(asked));
        }
    }

    /// A form beside all answers is for the one call that answers forms. Of several nobody knows
    /// whose it is.
    private void question(IncomingMessage.Request asked) {
        var whose = List.copyOf(answering);
        var ask =
                whose.size() == 1
                        ? whose.getFirst()
                        : farewell(Deadline.in(HttpRequests.FAREWELL_MAX));
        try {
            answer(asked, ask);
        } catch (UpstreamFailure unheard) {
            messages.drop();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Openness openness() {
        return openness;
    }

    @Override
    public void close() {
        openness.close();
        changes.ifPresent(ChangeStream::close);
        requests.farewell()
                .ifPresent(request ->
                        Thread.ofVirtual().name("end-of-session").start(() -> delete(request)));
    }

    private void delete(OutgoingRequest request) {
        try (var answer = http.send(request)) {
            answer.bytes();
        } catch (EgressFailure | InterruptedException unheard) {
            // A server that does not listen forgets the session by itself.
        }
    }
}
