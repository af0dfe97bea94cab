package dev.caisson.door;

import dev.caisson.call.ClientMessages;
import dev.caisson.call.LogLevel;
import dev.caisson.json.Json;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Progress of one call, for its program. Whoever tells of it never waits for the program to read:
/// it may be the thread on which an upstream is read for all. While something is being sent, only
/// the last word is kept.
final class CallProgress implements ClientMessages {
    private static final Logger LOG = LoggerFactory.getLogger(CallProgress.class);
    private static final int TEXT_LENGTH_MAX = 500;

    private final DoorRequest request;
    private final FrameChannel frames;
    private final AtomicReference<Optional<byte[]>> last = new AtomicReference<>(Optional.empty());

    /// Held while something is sent.
    private final ReentrantLock sending = new ReentrantLock();

    CallProgress(DoorRequest request, FrameChannel frames) {
        this.request = request;
        this.frames = frames;
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        var frame = Json.object().put("id", request.id());
        var progress = frame.putObject("progress").put("done", done);
        total.ifPresent(all -> progress.put("total", all));
        progress.put("message", message.substring(0, Math.min(message.length(), TEXT_LENGTH_MAX)));
        if (last.getAndSet(Optional.of(Json.bytes(frame))).isEmpty()) {
            Thread.ofVirtual().name("call-progress").start(this::send);
        }
    }

    /// The call waits for a person. The program need not read that.
    void waiting(String approval) {
        var frame = Json.object().put("id", request.id());
        frame.putObject("waiting").put("approval", approval);
        Thread.ofVirtual().name("call-waiting").start(() -> send(Json.bytes(frame)));
    }

    private void send(byte[] frame) {
        try {
            frames.write(frame);
        } catch (IOException gone) {
            LOG.debug("a program was not told that it waits: {}", gone.toString());
        }
    }

    /// The call has an answer, which is sent next: nothing is sent after this.
    void end() {
        send();
    }

    private void send() {
        sending.lock();
        try {
            var frame = last.getAndSet(Optional.empty());
            if (frame.isPresent()) {
                frames.write(frame.get());
            }
        } catch (IOException gone) {
            LOG.debug("progress was not sent: {}", gone.toString());
        } finally {
            sending.unlock();
        }
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {}
}
