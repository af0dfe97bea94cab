package dev.caisson.rest.files;

import dev.caisson.call.Caller;
import dev.caisson.rest.route.BodyShape;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.EventWriter;
import dev.caisson.rest.runs.RunFormat;
import dev.caisson.storage.FileEvent;
import dev.caisson.storage.FileEvents;
import dev.caisson.storage.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Event stream of changes to the files of a thread, until the reader leaves or the thread is
/// deleted.
///
/// @param beat after so much silence an event says that the stream goes on, which is also how we
///   learn that nobody reads any more
/// @param names how the path of a file is shown
public record FileEventStream(FileEvents events, Duration beat, Names names) {
    /// Takes out what a caller handed over in confidence.
    @FunctionalInterface
    public interface Names {
        String shown(Caller caller, String path);
    }

    private static final Logger LOG = LoggerFactory.getLogger(FileEventStream.class);

    static final Reply REPLY =
            new Reply(
                    200,
                    "Events, until the client leaves: listening, then created, modified, removed,"
                            + " overflow (list the files again), beat; deleted is the last.",
                    List.of(RunFormat.SSE.type(), RunFormat.NDJSON.type()),
                    Optional.of(BodyShape.ANY));

    /// @param threadId of a thread that is there
    Response answer(RouteRequest ask, String threadId) {
        var format =
                RunFormat.of(ask.exchange()) == RunFormat.NDJSON ? RunFormat.NDJSON : RunFormat.SSE;
        if (ask.exchange().method().equals("HEAD")) {
            return Response.empty(200).with("Content-Type", format.type());
        }
        var place = Threads.place(ask.caller(), threadId);
        var listening = events.listen(place);
        try {
            var out = EventWriter.open(ask, format);
            out.onClose(listening::close);
            Thread.ofVirtual()
                    .name("files-" + place)
                    .start(() -> follow(listening, out, threadId, ask.caller()));
            return new Response.Begun();
        } catch (RuntimeException refused) {
            listening.close();
            throw refused;
        }
    }

    private void follow(
            FileEvents.Listening listening, EventWriter out, String threadId, Caller caller) {
        try (listening) {
            var place = Threads.place(caller, threadId);
            var first = EventWriter.event("listening").put("thread_id", threadId).put("key", place);
            var goesOn = out.send(first);
            while (goesOn && !listening.isClosed()) {
                var next = listening.next(beat);
                goesOn =
                        out.send(
                                        next.map(event -> json(event, caller))
                                                .orElseGet(() -> EventWriter.event("beat")))
                                && !next.equals(Optional.of(new FileEvent.ThreadDeleted()));
            }
        } catch (InterruptedException _) {
            LOG.debug("the server stops");
        } finally {
            out.close();
        }
    }

    private ObjectNode json(FileEvent event, Caller caller) {
        return switch (event) {
            case FileEvent.Changed changed -> json(changed, caller);
            case FileEvent.Overflow _ ->
                    EventWriter.event("overflow")
                            .put(
                                    "message",
                                    "More has changed than is told one by one. List the files"
                                            + " again.");
            case FileEvent.ThreadDeleted _ -> EventWriter.event("deleted");
        };
    }

    private ObjectNode json(FileEvent.Changed changed, Caller caller) {
        return EventWriter.event(changed.act().word())
                .put("path", names.shown(caller, changed.path()))
                .put("size", changed.size().orElse(null))
                .put("cause", changed.cause().word())
                .put("execution_id", changed.executionId().orElse(null));
    }
}
