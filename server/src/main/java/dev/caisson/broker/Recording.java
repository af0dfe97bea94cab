package dev.caisson.broker;

import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.call.Call;
import dev.caisson.call.Door;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// Recording stage of the broker: every action is counted and recorded once, however it ends,
/// before its caller hears of it.
public final class Recording {
    private final CallRecorder recorder;
    private final CallCounters counters;
    private final Clock clock;

    /// Work that is recorded.
    ///
    /// @param <T> its result
    /// @param <X> what it may throw beside refusals
    @FunctionalInterface
    interface Body<T, X extends Exception> {
        T run(Call call) throws InterruptedException, X;
    }

    /// @param recorder is told of every call
    public Recording(CallRecorder recorder, Metrics metrics, Clock clock) {
        this.recorder = recorder;
        this.counters = new CallCounters(metrics);
        this.clock = clock;
    }

    /// A tool is about to be called.
    void begins(Call call, ActionRequest request) {
        call.notes().begins();
        recorder.begins(call, request);
    }

    /// The call of a tool there is.
    ToolResult tool(Call call, ActionRequest request, Body<ToolResult, RuntimeException> body)
            throws InterruptedException {
        return new One<ToolResult, RuntimeException>(
                        call, request, (ending, nanos) -> count(call, request, ending, nanos))
                .run(body, Optional::of);
    }

    /// A program that calls one tool again and again is no model that goes round in circles: its
    /// calls say nothing of the health of a key.
    private void count(Call call, ActionRequest request, Ending ending, long nanos) {
        if (call.door() == Door.SANDBOX) {
            counters.action(request, ending, nanos);
        } else {
            counters.tool(call.caller(), request, ending, nanos);
        }
    }

    /// The call of a tool there is not.
    ToolResult unknownTool(
            Call call, ActionRequest request, Body<ToolResult, RuntimeException> refusing)
            throws InterruptedException {
        return new One<ToolResult, RuntimeException>(
                        call,
                        request,
                        (ending, _) -> counters.unknown(call.caller(), request.arguments(), ending))
                .run(refusing, Optional::of);
    }

    /// Anything else.
    <T, X extends Exception> T action(Call call, ActionRequest request, Body<T, X> body)
            throws InterruptedException, X {
        return new One<T, X>(
                        call, request, (ending, nanos) -> counters.action(request, ending, nanos))
                .run(body, _ -> Optional.empty());
    }

    private interface Counter {
        void count(Ending ending, long nanos);
    }

    private final class One<T, X extends Exception> {
        private final Call call;
        private final ActionRequest request;
        private final Counter counter;
        private final Instant began = clock.instant();
        private final long beganNanos = System.nanoTime();
        private boolean told;

        One(Call call, ActionRequest request, Counter counter) {
            this.call = call.withFreshNotes();
            this.request = request;
            this.counter = counter;
        }

        /// @param recordable the part of a result that the record is made of
        T run(Body<T, X> body, Function<T, Optional<ToolResult>> recordable)
                throws InterruptedException, X {
            try {
                var result = body.run(call);
                call.notes().settleTaken();
                var answer = recordable.apply(result);
                record(new Ending.Answered(answer.map(ToolResult::failed).orElse(false)), answer);
                return result;
            } catch (Throwable thrown) {
                record(Ending.of(thrown), Optional.empty());
                throw thrown;
            }
        }

        /// A recorder that fails is not told of its own failure. What the tool wrote last goes to
        /// the disk with the entry; when that fails the caller hears of it, though the entry says
        /// how the tool ended.
        private void record(Ending ending, Optional<ToolResult> result) {
            if (told) {
                return;
            }
            told = true;
            var nanos = System.nanoTime() - beganNanos;
            counter.count(ending, nanos);
            var recorded =
                    new RecordedCall(
                            began,
                            Duration.ofNanos(nanos),
                            call.caller(),
                            call.door(),
                            call.trace(),
                            request.name(),
                            request.arguments(),
                            request.origin(),
                            ending,
                            result,
                            call.notes().changing(),
                            call.notes());
            recorder.record(recorded);
            call.notes().settle();
            call.conversation().ended(recorded.tool(), recorded.status());
        }
    }
}
