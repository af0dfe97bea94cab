package dev.caisson.upstream.connection;

import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.Rpc;
import dev.caisson.rpc.RpcError;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.node.ObjectNode;

/// Receiver of what an upstream says by itself. Whatever it asks for is refused, but for a form in
/// the middle of a call that somebody answers; an answer that nobody waits for is dropped and
/// counted.
final class ServerMessages {
    /// The request for a form.
    static final String FORM = "elicitation/create";

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong dropped = new AtomicLong();

    void onListChanged(Runnable heard) {
        listeners.add(heard);
    }

    void heard(IncomingMessage.Notification notification) {
        if (notification.method().equals("notifications/tools/list_changed")) {
            listeners.forEach(Runnable::run);
        }
    }

    /// A message that cannot be of use to anyone.
    void drop() {
        dropped.incrementAndGet();
    }

    /// Whether an answer is the one to a request. Another one is dropped.
    boolean isMeant(IncomingMessage.Response response, ClientRequest request) {
        if (request.isAnsweredBy(response.id())) {
            return true;
        }
        drop();
        return false;
    }

    /// How many messages were dropped.
    long dropped() {
        return dropped.get();
    }

    /// What a request of the server in the middle of a call is answered with. It takes as long as
    /// somebody takes for a form.
    ObjectNode answer(IncomingMessage.Request request, Ask ask) throws InterruptedException {
        if (request.method().equals(FORM) && ask.dialogue().answers()) {
            try {
                return Rpc.result(request.id(), ask.dialogue().fill(request.params()));
            } catch (CallDialogue.Unanswered nobody) {
                // As any other question that nobody answers.
            }
        }
        return answer(request);
    }

    /// What a request of the server is answered with. To ask whether we are there is allowed.
    ObjectNode answer(IncomingMessage.Request request) {
        if (request.method().equals("ping")) {
            return Rpc.result(request.id(), Json.object());
        }
        drop();
        return Rpc.error(
                Optional.of(request.id()),
                RpcError.of(RpcError.METHOD_NOT_FOUND, "This client does not answer that", 404));
    }
}
