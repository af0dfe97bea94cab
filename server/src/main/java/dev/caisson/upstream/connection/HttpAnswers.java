package dev.caisson.upstream.connection;

import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.egress.OutgoingHttp;
import dev.caisson.egress.OutgoingRequest;
import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Answers to the requests of one connection over Streamable HTTP: JSON, events of which one is the
/// answer, or a status that says no. They are counted while they are read.
///
/// @param requests answers what a server asks in the middle of its answer
record HttpAnswers(
        OutgoingHttp http,
        HttpRequests outgoing,
        ServerMessages messages,
        ReadBudget budget,
        Openness openness,
        HttpFailures failures,
        ServerQuestions requests) {

    /// @param request that is answered; empty where nothing is asked
    PostReply to(OutgoingRequest out, Optional<ClientRequest> request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        try {
            var answer = http.send(out);
            boolean handedOn = false;
            try (var lease = budget.lease()) {
                if (answer.status() / 100 != 2) {
                    return refused(answer);
                }
                request.filter(asked -> asked.method().equals("initialize"))
                        .ifPresent(_ -> outgoing.keepSession(answer));
                if (request.isEmpty() || answer.status() == 202) {
                    return new PostReply.Accepted();
                }
                if (answer.mediaType().equals(HttpRequests.EVENTS)) {
                    var read = new EventAnswer(answer, lease, request.get(), ask, line(ask));
                    var reply = read.reply();
                    handedOn = read.drainsLater();
                    return reply;
                }
                return json(answer, lease, request.get(), ask);
            } finally {
                if (!handedOn) {
                    answer.close();
                }
            }
        } catch (EgressFailure failed) {
            throw failures.of(failed, ask);
        }
    }

    private EventAnswer.Line line(Ask ask) {
        EventAnswer.Resumption again =
                lastId ->
                        http.send(
                                outgoing.events(Optional.of(lastId), Optional.of(ask.deadline())));
        return new EventAnswer.Line(
                messages,
                failures,
                requests,
                outgoing.modern() ? Optional.empty() : Optional.of(again));
    }

    private PostReply refused(OutgoingAnswer answer) throws InterruptedException {
        boolean sessionOver = answer.status() == 404 && outgoing.hasSession();
        if (sessionOver) {
            openness.garble();
        }
        return new PostReply.Refused(
                answer.status(), error(answer), sessionOver, answer.header("WWW-Authenticate"));
    }

    private static Optional<JsonNode> error(OutgoingAnswer answer) throws InterruptedException {
        if (!answer.mediaType().equals(HttpRequests.JSON)) {
            return Optional.empty();
        }
        try {
            var bytes = answer.body().readNBytes(HttpRequests.SMALL_ANSWER_BYTES);
            return Optional.ofNullable(Json.parseAnswer(bytes).get("error"));
        } catch (InterruptedIOException cancelled) {
            throw new InterruptedException();
        } catch (IOException | JacksonException unreadable) {
            return Optional.empty();
        }
    }

    private PostReply json(
            OutgoingAnswer answer, ReadBudget.Lease lease, ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        if (!answer.mediaType().equals(HttpRequests.JSON)) {
            throw failures.garbled(ask, "answered with neither JSON nor events");
        }
        try {
            var bytes = lease.counting(answer.body()).readAllBytes();
            if (IncomingMessage.answer(bytes) instanceof IncomingMessage.Response response
                    && messages.isMeant(response, request)) {
                return new PostReply.Answered(response);
            }
            throw failures.garbled(ask, "answered another request than it was sent");
        } catch (ProtocolError malformed) {
            throw failures.garbled(ask, "sent what is no message of the protocol");
        } catch (IOException failed) {
            throw failures.of(failed, ask);
        }
    }
}
