package dev.caisson.rest;

import dev.caisson.call.FullDisk;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.telemetry.Faults;
import dev.caisson.tools.LiveRun;
import dev.caisson.tools.RunOutput;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Shows a run as events while it happens: that it started, what it writes, the files it made, and
/// last the result.
final class Showing {
    private static final Logger LOG = LoggerFactory.getLogger(Showing.class);

    private final RunOutput output;
    private final Faults faults;
    private final Duration beat;

    /// @param beat after so much silence an event says that the run goes on
    Showing(RunOutput output, Faults faults, Duration beat) {
        this.output = output;
        this.faults = faults;
        this.beat = beat;
    }

    /// Where the last word comes from.
    interface Last {
        JsonNode result() throws InterruptedException;
    }

    /// From the start of a run to its result, on a thread of its own.
    ///
    /// @param run when it is under way
    Response show(Events events, Shown shown, Optional<LiveRun> run, Last last) {
        return show(events, shown, run, Following.Offsets.START, last);
    }

    /// The same from a place on.
    Response show(
            Events events, Shown shown, Optional<LiveRun> run, Following.Offsets from, Last last) {
        Thread.ofVirtual()
                .name("show-" + shown.id())
                .start(() -> guarded(events, () -> all(events, shown, run, from, last)));
        return new Response.Begun();
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void all(
            Events events, Shown shown, Optional<LiveRun> run, Following.Offsets from, Last last)
            throws InterruptedException {
        var following = new Following(output, events, beat, shown, from);
        if (events.send(shown.started())
                && (run.isPresent() ? following.until(run.get()) : following.rest())) {
            end(events, last.result());
        }
    }

    private static void end(Events events, JsonNode result) throws InterruptedException {
        if (!result.path("output_kept").asBoolean(true)) {
            events.send(Events.event("output_gone").put("message", Output.GONE));
        }
        for (var file : result.path("files")) {
            if (file.path("changed").asBoolean(false)) {
                events.send(
                        Events.event("file")
                                .put("path", file.path("path").stringValue())
                                .put("size", file.path("size").longValue())
                                .put("media_type", mediaType(file)));
            }
        }
        events.result(result);
    }

    /// The tool calls it otherwise than the record does.
    private static String mediaType(JsonNode file) {
        return file.path(file.has("media_type") ? "media_type" : "mime_type").asString("");
    }

    private void failed(Events events, RuntimeException failure) throws InterruptedException {
        var full = FullDisk.refusal(failure);
        if (full.isPresent()) {
            events.error(ErrorBody.of(full.get()));
        } else {
            events.error(ErrorBody.fault(Faults.sentence(faults.report(failure))));
        }
    }

    /// The answer has begun, so what goes wrong is its last event.
    private void guarded(Events events, Work work) {
        try {
            try {
                work.run();
            } catch (Refusal refusal) {
                events.error(ErrorBody.of(refusal));
            } catch (Problem problem) {
                events.error(problem.response());
            } catch (RuntimeException failure) {
                failed(events, failure);
            }
        } catch (InterruptedException _) {
            LOG.debug("the server stops");
        } finally {
            events.close();
        }
    }
}
