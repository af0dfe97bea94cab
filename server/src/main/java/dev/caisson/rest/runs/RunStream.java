package dev.caisson.rest.runs;

import dev.caisson.call.FullDisk;
import dev.caisson.call.Refusal;
import dev.caisson.http.ErrorBody;
import dev.caisson.rest.route.HttpProblem;
import dev.caisson.rest.route.Response;
import dev.caisson.runs.LiveRun;
import dev.caisson.runs.RunOutput;
import dev.caisson.telemetry.Faults;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Event stream of a run while it happens: that it started, what it writes, the files it made, and
/// last the result.
public final class RunStream {
    private static final Logger LOG = LoggerFactory.getLogger(RunStream.class);

    private final RunOutput output;
    private final Faults faults;
    private final Duration beat;

    /// @param beat after so much silence an event says that the run goes on
    public RunStream(RunOutput output, Faults faults, Duration beat) {
        this.output = output;
        this.faults = faults;
        this.beat = beat;
    }

    /// Where the last word comes from.
    interface Last {
        RunResult result() throws InterruptedException;
    }

    /// From the start of a run to its result, on a thread of its own.
    ///
    /// @param run when it is under way
    Response show(EventWriter events, StreamedRun shown, Optional<LiveRun> run, Last last) {
        return show(events, shown, run, OutputFollower.Offsets.START, last);
    }

    /// The same from a place on.
    Response show(
            EventWriter events,
            StreamedRun shown,
            Optional<LiveRun> run,
            OutputFollower.Offsets from,
            Last last) {
        Thread.ofVirtual()
                .name("show-" + shown.id())
                .start(() -> guarded(events, () -> all(events, shown, run, from, last)));
        return new Response.Begun();
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void all(
            EventWriter events,
            StreamedRun shown,
            Optional<LiveRun> run,
            OutputFollower.Offsets from,
            Last last)
            throws InterruptedException {
        var following = new OutputFollower(output, events, beat, shown, from);
        if (events.send(shown.started())
                && (run.isPresent() ? following.until(run.get()) : following.rest())) {
            end(events, last.result());
        }
    }

    private static void end(EventWriter events, RunResult result) throws InterruptedException {
        if (!result.outputKept()) {
            events.send(EventWriter.event("output_gone").put("message", OutputRoutes.GONE));
        }
        for (var file : result.changed()) {
            events.send(
                    EventWriter.event("file")
                            .put("path", file.path())
                            .put("size", file.size())
                            .put("media_type", file.mediaType()));
        }
        events.result(result.json());
    }

    private void failed(EventWriter events, RuntimeException failure) throws InterruptedException {
        var full = FullDisk.refusal(failure);
        if (full.isPresent()) {
            events.error(ErrorBody.of(full.get()));
        } else {
            events.error(ErrorBody.fault(Faults.sentence(faults.report(failure))));
        }
    }

    /// The answer has begun, so what goes wrong is its last event.
    private void guarded(EventWriter events, Work work) {
        try {
            try {
                work.run();
            } catch (Refusal refusal) {
                events.error(ErrorBody.of(refusal));
            } catch (HttpProblem problem) {
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
