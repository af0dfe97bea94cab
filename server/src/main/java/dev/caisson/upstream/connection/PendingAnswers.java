package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.rpc.IncomingMessage;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// Requests whose answers come on one stream, in any order.
final class PendingAnswers {
    private final ServerMessages messages;
    private final Map<String, Pending> pending = new ConcurrentHashMap<>();
    private volatile Optional<BiFunction<Ask, Boolean, UpstreamFailure>> over = Optional.empty();

    PendingAnswers(ServerMessages messages) {
        this.messages = messages;
    }

    /// One request that waits.
    static final class Pending {
        private final ClientRequest request;
        private final Ask ask;
        private final CompletableFuture<IncomingMessage.Response> answer =
                new CompletableFuture<>();
        private boolean sent;
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
    IncomingMessage.Response await(Pending each, Runnable cancel)
            throws UpstreamFailure, InterruptedException {
        try {
            return each.answer.get(each.ask.deadline().left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            boolean sent = each.leave();
            if (sent) {
                cancel.run();
            }
            throw each.ask.timedOut(sent);
        } catch (InterruptedException cancelled) {
            if (each.leave()) {
                cancel.run();
            }
            throw cancelled;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UpstreamFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(failed);
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
    /// @param asked takes what the server asks us
    void take(IncomingMessage message, Consumer<IncomingMessage.Request> asked) {
        switch (message) {
            case IncomingMessage.Response response -> answered(response);
            case IncomingMessage.Request request -> asked.accept(request);
            case IncomingMessage.Notification notification -> {
                if (notification.method().equals("notifications/progress")) {
                    progress(notification);
                } else {
                    messages.heard(notification);
                }
            }
        }
    }

    private void answered(IncomingMessage.Response response) {
        var id = response.id().node();
        var each = id.isString() ? pending.remove(id.stringValue()) : null;
        if (each == null || !each.isSent()) {
            messages.drop();
        } else {
            each.answer.complete(response);
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
                        each.answer.completeExceptionally(failure.apply(each.ask, each.isSent())));
    }
}
