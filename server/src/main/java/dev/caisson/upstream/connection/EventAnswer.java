package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.egress.EgressFailure;
import dev.caisson.egress.OutgoingAnswer;
import dev.caisson.rpc.EventReader;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.ProtocolError;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// One answer over HTTP that is a stream of events. Where a server of the older eras numbers its
/// events, a stream that ends early goes on with another request.
final class EventAnswer {
    private static final Duration RESUME_WAIT = Duration.ofSeconds(1);

    private final OutgoingAnswer first;
    private final ReadBudget.Lease lease;
    private final ClientRequest request;
    private final Ask ask;
    private final Line line;
    private boolean drains;

    /// What the connection gives it.
    ///
    /// @param resumption opens the stream again after the event of an id; empty where it cannot be
    record Line(
            ServerMessages messages,
            HttpFailures failures,
            ServerQuestions requests,
            Optional<Resumption> resumption) {}

    /// Opens a stream again.
    @FunctionalInterface
    interface Resumption {
        OutgoingAnswer after(String lastId) throws EgressFailure, InterruptedException;
    }

    EventAnswer(
            OutgoingAnswer first,
            ReadBudget.Lease lease,
            ClientRequest request,
            Ask ask,
            Line line) {
        this.first = first;
        this.lease = lease;
        this.request = request;
        this.ask = ask;
        this.line = line;
    }

    /// Whether the rest of the first answer is read by another thread, which closes it.
    boolean drainsLater() {
        return drains;
    }

    PostReply reply() throws UpstreamFailure, InterruptedException {
        try {
            var reader = reader(first);
            var found = answerIn(reader);
            if (found.isPresent()) {
                drain(reader);
                return found.get();
            }
            return resumed(reader);
        } catch (ProtocolError malformed) {
            throw line.failures().garbled(ask, "sent what is no message of the protocol");
        } catch (IOException failed) {
            throw line.failures().of(failed, ask);
        }
    }

    private EventReader reader(OutgoingAnswer answer) {
        return new EventReader(lease.counting(answer.body()), Math.toIntExact(ask.bytesMax()));
    }

    private Optional<PostReply> answerIn(EventReader reader)
            throws IOException, UpstreamFailure, InterruptedException {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            var data = next.get().data();
            if (data.length > 0) {
                var answer = take(IncomingMessage.answer(data));
                if (answer.isPresent()) {
                    return answer;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<PostReply> take(IncomingMessage message)
            throws UpstreamFailure, InterruptedException {
        switch (message) {
            case IncomingMessage.Response response -> {
                if (line.messages().isMeant(response, request)) {
                    return Optional.of(new PostReply.Answered(response));
                }
            }
            case IncomingMessage.Notification notification -> {
                if (notification.method().equals("notifications/progress")) {
                    ask.onProgress().accept(notification.params());
                } else {
                    line.messages().heard(notification);
                }
            }
            case IncomingMessage.Request asked -> line.requests().answer(asked, ask);
        }
        return Optional.empty();
    }

    private PostReply resumed(EventReader ended)
            throws IOException, UpstreamFailure, InterruptedException {
        var reader = ended;
        while (reader.lastId().isPresent() && line.resumption().isPresent()) {
            var wait = reader.retry().orElse(RESUME_WAIT);
            if (ask.deadline().left().compareTo(wait) <= 0) {
                throw ask.timedOut(true);
            }
            Thread.sleep(wait);
            try (var again = line.resumption().get().after(reader.lastId().get())) {
                if (again.status() != 200 || !again.mediaType().equals(HttpRequests.EVENTS)) {
                    break;
                }
                var next = reader(again);
                var found = answerIn(next);
                if (found.isPresent()) {
                    return found.get();
                }
                reader = next;
            }
        }
        throw ask.unanswered(
                ToolErrorType.UPSTREAM_UNAVAILABLE, true, "ended the stream before its answer");
    }

    /// A stream that is read to its end leaves a connection that can be used again.
    private void drain(EventReader reader) {
        drains = true;
        Thread.ofVirtual()
                .name("rest-of-answer")
                .start(() -> {
                    try (first) {
                        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                            line.messages().drop();
                        }
                    } catch (IOException over) {
                        // Whatever it was, nobody waited for it.
                    } finally {
                        lease.close();
                    }
                });
    }
}
