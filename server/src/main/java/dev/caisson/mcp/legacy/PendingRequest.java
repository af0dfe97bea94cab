package dev.caisson.mcp.legacy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.rpc.IncomingMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/// Pending request of the server that waits for the client's answer.
final class PendingRequest implements AutoCloseable {
    private final String id;
    private final Runnable forget;
    private final CompletableFuture<IncomingMessage.Response> response = new CompletableFuture<>();

    PendingRequest(String id, Runnable forget) {
        this.id = id;
        this.forget = forget;
    }

    String id() {
        return id;
    }

    void complete(IncomingMessage.Response answer) {
        response.complete(answer);
    }

    boolean done() {
        return response.isDone();
    }

    /// @throws Refusal TIMED_OUT, or CONFLICT when the client answered with an error
    JsonNode await(Duration timeout) throws InterruptedException {
        try {
            var answer = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return answer.result()
                    .orElseThrow(() ->
                            new Refusal(
                                    Reason.INVALID_ARGUMENT,
                                    "The client could not answer: " + message(answer)));
        } catch (TimeoutException e) {
            throw new Refusal(
                    Reason.TIMED_OUT,
                    "The client did not answer within " + timeout.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String message(IncomingMessage.Response answer) {
        return answer.error().map(error -> error.path("message").stringValue("")).orElse("");
    }

    @Override
    public void close() {
        forget.run();
    }
}
