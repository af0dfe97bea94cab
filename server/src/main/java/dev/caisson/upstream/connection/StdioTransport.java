package dev.caisson.upstream.connection;

import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.rpc.IncomingMessage;
import dev.caisson.rpc.LineReader;
import dev.caisson.rpc.ProtocolError;
import dev.caisson.rpc.Revision;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.databind.node.ObjectNode;

/// Standard input and output of a process, a message on each line. A line that is no message ends
/// it: nobody knows what the next one would be.
final class StdioTransport implements MessageTransport {
    private final StdioProcess process;
    private final int bytesMax;
    private final ServerMessages messages;
    private final ReadBudget budget;
    private final PendingAnswers pending;
    private final LineWriter writer;
    private volatile Revision revision = Revision.NEWEST_LEGACY;
    private final Openness openness = new Openness();

    /// @param bytesMax of one message
    StdioTransport(StdioProcess process, int bytesMax, ServerMessages messages, ReadBudget budget) {
        this.process = process;
        this.bytesMax = bytesMax;
        this.messages = messages;
        this.budget = budget;
        this.pending = new PendingAnswers(messages);
        this.writer = new LineWriter(process.in(), () -> end("ended"));
        // A pipe blocks in the kernel.
        Thread.ofPlatform().daemon().name("upstream-out").start(() -> read(process.out()));
    }

    private void read(InputStream out) {
        try (var lease = budget.lease()) {
            var lines = LineReader.cutting(lease.counting(out), bytesMax);
            for (var line = lines.next(); line.isPresent(); line = lines.next()) {
                if (!take(line.get())) {
                    return;
                }
                lease.giveBack();
            }
            end("ended");
        } catch (ReadBudget.Exhausted full) {
            fail(ToolErrorType.NO_CAPACITY, "answered while the server has no memory for more");
        } catch (IOException gone) {
            end("ended");
        }
    }

    private boolean take(LineReader.Line line) {
        return switch (line) {
            case LineReader.TooLong _ -> {
                openness.garble();
                pending.tooLong();
                process.stop();
                yield false;
            }
            case LineReader.Whole(var bytes) -> {
                try {
                    pending.take(IncomingMessage.answer(bytes), this::refuse);
                    yield true;
                } catch (ProtocolError malformed) {
                    fail(ToolErrorType.TOOL_FAILED, "sent what is no message of the protocol");
                    yield false;
                }
            }
        };
    }

    private void refuse(IncomingMessage.Request asked) {
        if (!writer.offer(Json.bytes(messages.answer(asked)), () -> true)) {
            messages.drop();
        }
    }

    private void answer(IncomingMessage.Request asked, Ask ask) throws InterruptedException {
        if (!writer.offer(Json.bytes(messages.answer(asked, ask)), () -> true)) {
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
        process.stop();
    }

    @Override
    public IncomingMessage.Response request(ClientRequest request, Ask ask)
            throws UpstreamFailure, InterruptedException {
        var each = pending.expect(request, ask);
        if (!writer.offer(Json.bytes(request.message()), each::send)) {
            pending.forget(each);
            throw ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, false, "reads no more");
        }
        return pending.await(
                each,
                this::answer,
                () -> {
                    var gone = request.cancellation("nobody waits any more");
                    writer.offer(Json.bytes(gone), () -> true);
                });
    }

    @Override
    public void notify(ObjectNode notification, Ask ask) throws UpstreamFailure {
        if (!openness.isOpen() || !writer.offer(Json.bytes(notification), () -> true)) {
            throw ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, false, "reads no more");
        }
    }

    @Override
    public void agree(Revision agreed) {
        revision = agreed;
    }

    /// In the modern era the server wants to be asked.
    @Override
    public void listen() {
        if (revision.modern()) {
            var params = ClientMeta.on(Json.object());
            params.putObject("notifications").put("toolsListChanged", true);
            var request = ClientRequest.of("subscriptions/listen", params);
            writer.offer(Json.bytes(request.message()), () -> true);
        }
    }

    @Override
    public Openness openness() {
        return openness;
    }

    @Override
    public void close() {
        openness.close();
        pending.fail((ask, sent) ->
                ask.unanswered(ToolErrorType.UPSTREAM_UNAVAILABLE, sent, "was stopped"));
        writer.close();
        process.stop();
    }
}
