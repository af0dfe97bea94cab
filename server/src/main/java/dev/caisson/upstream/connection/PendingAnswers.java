package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.rpc.IncomingMessage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// Requests whose answers come on one stream, in any order.
final class PendingAnswers {
    /// Forms in one call.
    static final int QUESTIONS_MAX = 8;

    private final ServerMessages messages;
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();
    private volatile Optional<BiFunction<Ask, Boolean, UpstreamFailure>> over = Optional.empty();

    PendingAnswers(ServerMessages messages) {
        this.messages = messages;
    }

    /// What happens to a request that waits.
    private sealed interface Event {
        record Answered(IncomingMessage.Response response) implements Event {}

        /// The server asks something before it answers.
        record Asked(IncomingMessage.Request question) implements Event {}

        record Failed(UpstreamFailure failure) implements Event {}
    }

    /// Answerer of a question of the server, on the thread of the request it belongs to.
    @FunctionalInterface
    interface Reply {
        void to(IncomingMessage.Request question, Ask ask) throws InterruptedException;
    }

    /// One request that waits.
    static final class Pending {
        private final ClientRequest request;
        private final Ask ask;
        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private boolean sent;
        private int asked;
        private boolean left;

        private Pending(ClientRequest request, Ask ask) {
            this.request = request;
            this.ask = ask;
        }

        /// To be called before its first byte goes out.
        ///
        /// @return false when nobody waits any more, so that it need not go
        synchronized boolean send() {
            if (left) {
                return false;
            }
            sent = true;
            ask.onSent().run();
            return true;
        }

        synchronized boolean isSent() {
            return sent;
        }

        /// Only the thread that reads comes here.
        private boolean asked(IncomingMessage.Request question) {
            return ++asked <= QUESTIONS_MAX && events.add(new Event.Asked(question));
        }

        private synchronized boolean leave() {
            left = true;
            return sent;
        }
    }

    /// @throws UpstreamFailure when the stream is over
    Pending expect(ClientRequest request, Ask ask) throws UpstreamFailure {
        var each = new Pending(request, ask);
        pending.put(request.id(), each);
        if (over.isPresent()) {
            pending.remove(request.id());
            throw over.get().apply(ask, false);
        }
        return each;
    }

    /// Waits for the answer.
    ///
    /// @param cancel tells the server that nobody waits any more
    IncomingMessage.Response await(Pending each, Reply reply, Runnable cancel)
            throws UpstreamFailure, InterruptedException {
        try {
            while (true) {
                var left = each.ask.deadline().left().toNanos();
                switch (each.events.poll(left, TimeUnit.NANOSECONDS)) {
                    case null -> {
                        boolean sent = each.leave();
                        if (sent) {
                            cancel.run();
                        }
                        throw each.ask.timedOut(sent);
                    }
                    case Event.Answered(var response) -> {
                        return response;
                    }
                    case Event.Asked(var question) -> reply.to(question, each.ask);
                    case Event.Failed(var failure) -> throw failure;
                }
            }
        } catch (InterruptedException cancelled) {
            if (each.leave()) {
                cancel.run();
            }
            throw cancelled;
        } finally {
            pending.remove(each.request.id());
        }
    }

    /// Nobody waits for it any more.
    void forget(Pending each) {
        pending.remove(each.request.id());
    }

    /// Hands a message of the server to whoever it is for.
    ///
    /// @param asked takes what the server asks and no request that waits answers
    void take(IncomingMessage message, Consumer<IncomingMessage.Request> asked) {
        switch (message) {
            case IncomingMessage.Response response -> answered(response);
            case IncomingMessage.Request request -> {
                if (!ask(request)) {
                    asked.accept(request);
                }
            }
            case IncomingMessage.Notification notification -> {
                if (notification.method().equals("notifications/progress")) {
                    progress(notification);
                } else {
                    messages.heard(notification);
                }
            }
        }
    }

    /// A form is for the one call that answers forms. Of several nobody knows whose it is.
    private boolean ask(IncomingMessage.Request question) {
        if (!question.method().equals(ServerMessages.FORM)) {
            return false;
        }
        var answering =
                pending.values().stream()
                        .filter(each -> each.isSent() && each.ask.dialogue().answers())
                        .limit(2)
                        .toList();
        return answering.size() == 1 && answering.getFirst().asked(question);
    }

    private void answered(IncomingMessage.Response response) {
        var id = response.id().node();
        var each = id.isString() ? pending.remove(id.stringValue()) : null;
        if (each == null || !each.isSent()) {
            messages.drop();
        } else {
            each.events.add(new Event.Answered(response));
        }
    }

    /// Progress goes to whoever waits for that request.
    private void progress(IncomingMessage.Notification notification) {
        var token = notification.params().path("progressToken").stringValue("");
        Optional.ofNullable(pending.get(token))
                .ifPresentOrElse(
                        each -> each.ask.onProgress().accept(notification.params()),
                        messages::drop);
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    /// An answer is longer than the limit. It cannot be known whose it is when several wait.
    void tooLong() {
        boolean alone = pending.size() == 1;
        fail((ask, sent) ->
                alone
                        ? ask.refused(
                                ToolErrorType.TOO_LARGE,
                                "sent an answer that is longer than %d bytes"
                                        .formatted(ask.bytesMax()))
                        : ask.unanswered(
                                ToolErrorType.UPSTREAM_UNAVAILABLE,
                                sent,
                                "sent an answer beyond the limit, and its connection was closed"));
    }

    /// Nobody who waits gets an answer any more, nor anybody who comes.
    ///
    /// @param failure by the terms of a request and whether it was sent
    void fail(BiFunction<Ask, Boolean, UpstreamFailure> failure) {
        if (over.isEmpty()) {
            over = Optional.of(failure);
        }
        pending.values()
                .forEach(each ->
                        each.events.add(new Event.Failed(failure.apply(each.ask, each.isSent()))));
    }
}
