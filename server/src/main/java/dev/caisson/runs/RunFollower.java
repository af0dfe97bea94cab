package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.executions.StartTicket;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.share.MixedThreads;
import dev.caisson.share.PatientWait;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/// Follower of a run until it is over: tells the caller how far it is, lets it go on as a task when
/// it takes long, and ends it when the caller cancels. The call is used by one thread at a time.
///
/// A caller's platform thread does the run itself, and another tells the caller of one that lasts:
/// a short run wakes no other thread. Where the caller's thread is a virtual one, the run has a
/// thread of its own, because it waits in the kernel.
final class RunFollower {
    /// How often the caller is told.
    private static final Duration BEAT = Duration.ofMillis(500);

    /// What is watched.
    interface Work {
        Outcome run(Run run) throws InterruptedException;
    }

    private final MixedThreads threads;
    private final Work work;
    private final Call call;
    private final Duration detachAfter;
    private final EarlyReply early;
    private final long started = System.nanoTime();
    private boolean detached;

    /// @param threads on which a program is waited for, or its caller is told
    RunFollower(
            MixedThreads threads, Work work, Call call, Duration detachAfter, EarlyReply early) {
        this.threads = threads;
        this.work = work;
        this.call = call;
        this.detachAfter = detachAfter;
        this.early = early;
    }

    /// An interrupt cancels the run and is used up by that: the outcome is the answer.
    ///
    /// @param begun how far its record is
    Outcome until(Run run, LiveOutput live, LiveRun running, StartTicket begun) {
        return Thread.currentThread().isVirtual()
                ? elsewhere(run, live, running, begun)
                : here(run, live, running, begun);
    }

    private Outcome here(Run run, LiveOutput live, LiveRun running, StartTicket begun) {
        var outcome = new CompletableFuture<Outcome>();
        var notes = call.notes();
        var task = MixedThreads.here(() -> work(run, outcome, notes));
        running.stoppedBy(task::interrupt);
        begun.awaitNoted();
        call.began(run.id());
        early.begun(run.id());
        var beats = BeatsBeside.every(BEAT, threads, () -> tell(run, live, begun), task::interrupt);
        try {
            task.run();
        } finally {
            beats.close();
        }
        beats.failure()
                .ifPresent(failed -> {
                    throw failed;
                });
        return result(outcome);
    }

    private void tell(Run run, LiveOutput live, StartTicket begun) {
        if (begun.isKept()) {
            beat(run, live);
        }
    }

    private Outcome elsewhere(Run run, LiveOutput live, LiveRun running, StartTicket begun) {
        var outcome = new CompletableFuture<Outcome>();
        var notes = call.notes();
        var worker = threads.start(() -> work(run, outcome, notes));
        running.stoppedBy(worker::interrupt);
        var wait = new PatientWait(outcome);
        try {
            begun.awaitNoted();
            call.began(run.id());
            early.begun(run.id());
            while (!outcome.isDone()) {
                awaitBeat(wait, worker);
                if (!outcome.isDone()) {
                    tell(run, live, begun);
                }
            }
        } finally {
            end(worker, outcome);
        }
        return result(outcome);
    }

    private void work(Run run, CompletableFuture<Outcome> outcome, CallNotes notes) {
        try {
            var done = work.run(run);
            notes.took(ended -> RunSteps.of(run, done, ended));
            outcome.complete(done);
        } catch (InterruptedException e) {
            outcome.complete(new Outcome.Cancelled(Outcome.Usage.NONE, Optional.empty()));
        } catch (Throwable e) {
            outcome.completeExceptionally(e);
        }
    }

    private static void awaitBeat(PatientWait wait, MixedThreads.Started worker) {
        try {
            wait.await(BEAT);
        } catch (InterruptedException e) {
            worker.interrupt();
        }
    }

    private void beat(Run run, LiveOutput live) {
        var elapsed = Duration.ofNanos(System.nanoTime() - started);
        if (!detached && elapsed.compareTo(detachAfter) >= 0) {
            call.conversation().detach();
            detached = true;
        }
        early.beat(run.id(), elapsed);
        live.passOn(call);
        call.messages()
                .progress(
                        elapsed.toMillis() / 1000.0,
                        OptionalDouble.of(run.limits().wall().toMillis() / 1000.0),
                        "Running for %d s, %s bytes of output"
                                .formatted(elapsed.toSeconds(), Quantities.number(live.total())));
    }

    /// Nothing of the run is alive afterwards, also when telling the caller failed. A worker that
    /// has given the outcome has nothing left to do.
    private static void end(MixedThreads.Started worker, CompletableFuture<Outcome> outcome) {
        while (!outcome.isDone()) {
            worker.interrupt();
            try {
                outcome.get();
            } catch (InterruptedException | ExecutionException _) {
                // Interrupted again, or over.
            }
        }
    }

    private static Outcome result(CompletableFuture<Outcome> outcome) {
        try {
            return outcome.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException ours) {
                throw ours;
            }
            throw e;
        }
    }
}
