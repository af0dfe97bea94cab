package dev.caisson.broker;

import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.call.Refusal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Sees to it that every call is recorded once, however it ends.
final class Recording {
    private final CallRecorder recorder;
    private final Clock clock;

    /// What is recorded.
    @FunctionalInterface
    interface Body {
        ToolResult answer(NotedCall call) throws InterruptedException;
    }

    Recording(CallRecorder recorder, Clock clock) {
        this.recorder = recorder;
        this.clock = clock;
    }

    ToolResult of(Call call, String tool, ObjectNode arguments, Body body)
            throws InterruptedException {
        var one = new One(new NotedCall(call), tool, arguments, clock.instant(), System.nanoTime());
        try {
            var result = body.answer(one.call);
            one.call.notes().settleTaken();
            one.record(new Ending.Answered(result.failed()), Optional.of(result));
            return result;
        } catch (Refusal refusal) {
            one.record(new Ending.Refused(refusal.reason()), Optional.empty());
            throw refusal;
        } catch (InterruptedException cancelled) {
            one.record(new Ending.Cancelled(), Optional.empty());
            throw cancelled;
        } catch (Suspended suspended) {
            one.record(new Ending.Asked(), Optional.empty());
            throw suspended;
        } catch (RuntimeException | Error failure) {
            one.record(new Ending.Broken(), Optional.empty());
            throw failure;
        }
    }

    private final class One {
        private final NotedCall call;
        private final String tool;
        private final ObjectNode arguments;
        private final Instant began;
        private final long beganNanos;
        private boolean told;

        One(NotedCall call, String tool, ObjectNode arguments, Instant began, long beganNanos) {
            this.call = call;
            this.tool = tool;
            this.arguments = arguments;
            this.began = began;
            this.beganNanos = beganNanos;
        }

        /// A recorder that fails is not told of its own failure. What the tool wrote last goes to
        /// the disk with the entry; when that fails the caller hears of it, though the entry says
        /// how the tool ended.
        void record(Ending ending, Optional<ToolResult> result) {
            if (told) {
                return;
            }
            told = true;
            var recorded =
                    new RecordedCall(
                            began,
                            Duration.ofNanos(System.nanoTime() - beganNanos),
                            call.caller(),
                            call.door(),
                            call.traceContext(),
                            tool,
                            arguments,
                            ending,
                            result,
                            call.changing(),
                            call.notes());
            recorder.record(recorded);
            call.notes().settle();
            call.ended(recorded);
        }
    }
}
