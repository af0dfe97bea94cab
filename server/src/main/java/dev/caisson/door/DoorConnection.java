package dev.caisson.door;

import dev.caisson.json.Json;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Connection of a program. One thread reads it, and each call is answered on a thread of its own,
/// in any order. The calls of a connection end with it.
final class DoorConnection {
    private static final Logger LOG = LoggerFactory.getLogger(DoorConnection.class);
    private static final int VERSION = 1;

    private final RunDoor run;
    private final FrameChannel frames;
    private final Map<Long, ServedCall> calls = new ConcurrentHashMap<>();

    DoorConnection(RunDoor run, FrameChannel frames) {
        this.run = run;
        this.frames = frames;
    }

    /// @throws IOException for what is no frame
    void serve() throws IOException, InterruptedException {
        try {
            for (var frame = frames.read(); frame.isPresent(); frame = frames.read()) {
                take(frame.get());
            }
        } finally {
            calls.values().forEach(call -> call.end(ServedCall.Why.CANCELLED));
        }
    }

    private void take(ObjectNode frame) throws IOException, InterruptedException {
        if (frame.has("hello")) {
            greet();
        } else if (frame.has("cancel")) {
            cancel(DoorRequest.id(frame.path("cancel")));
        } else {
            begin(DoorRequest.of(frame));
        }
    }

    private void greet() throws IOException {
        var hello = Json.object().put("hello", VERSION).put("execution", run.executionId());
        run.view().ifPresent(view -> hello.put("view", view));
        frames.write(Json.bytes(hello));
        if (run.hasChanged()) {
            tellChanged();
        }
    }

    /// The tools that may be called are others now.
    void tellChanged() {
        try {
            frames.write(Json.bytes(Json.object().put("changed", true)));
        } catch (IOException gone) {
            LOG.debug("a change was not sent: {}", gone.toString());
        }
    }

    private void cancel(long id) {
        var call = calls.get(id);
        if (call != null) {
            call.end(ServedCall.Why.CANCELLED);
        }
    }

    private void begin(DoorRequest request) throws IOException, InterruptedException {
        var call = new ServedCall(request);
        if (calls.putIfAbsent(request.id(), call) != null) {
            throw new IOException("two calls with one id");
        }
        run.enter(call);
        Thread.ofVirtual().name("nested-call").start(() -> serve(call));
    }

    private void serve(ServedCall call) {
        var request = call.request();
        try {
            var progress = new CallProgress(request, frames);
            CallAnswer answer;
            try {
                answer = run.answer(call, progress);
            } finally {
                calls.remove(request.id());
            }
            progress.end();
            frames.write(answer.frame());
        } catch (IOException gone) {
            LOG.debug("an answer to a program was not sent: {}", gone.toString());
        } finally {
            run.leave(call);
        }
    }
}
