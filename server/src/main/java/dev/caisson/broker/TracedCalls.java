package dev.caisson.broker;

import dev.caisson.broker.RecordedCall.Ending;
import dev.caisson.call.Call;
import dev.caisson.call.CallStep;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.SpanId;
import dev.caisson.telemetry.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Tracing of calls: every call that is over becomes a span below that of its caller,
/// `tool.<name>`, or `broker.call` where a program made it, and each of its steps one below that. A
/// call that did not succeed says why in a few words of ours. Whoever began the trace and does not
/// want spans gets none.
public final class TracedCalls implements CallRecorder {
    private static final String UNKNOWN = "unknown";
    private static final String FAULT = new Ending.Broken().word();

    private final CallRecorder recorder;
    private final Consumer<List<Span>> spans;

    /// @param recorder is told first
    /// @param spans takes those of one call, without waiting
    public TracedCalls(CallRecorder recorder, Consumer<List<Span>> spans) {
        this.recorder = recorder;
        this.spans = spans;
    }

    @Override
    public void record(RecordedCall call) {
        var status = FAULT;
        try {
            recorder.record(call);
            status = call.ending().word();
        } finally {
            if (call.trace().sampled()) {
                spans.accept(of(call, status));
            }
        }
    }

    @Override
    public void begins(Call call, ActionRequest request) {
        recorder.begins(call, request);
    }

    private static List<Span> of(RecordedCall call, String status) {
        var whole =
                new Span(
                        call.trace().id(),
                        SpanId.fresh(),
                        call.trace().parent(),
                        Span.Kind.SERVER,
                        name(call),
                        call.at(),
                        call.duration(),
                        words(call, status),
                        status.equals(FAULT) || call.ending().equals(new Ending.Answered(true)));
        var all = new ArrayList<>(List.of(whole));
        call.notes().steps().forEach(step -> all.add(below(whole, step)));
        return all;
    }

    /// A call of a program stands below the span of its run.
    private static String name(RecordedCall call) {
        return call.door() == Door.SANDBOX ? "broker.call" : "tool." + tool(call);
    }

    private static Span below(Span whole, CallStep step) {
        return new Span(
                whole.trace(),
                step.span().orElseGet(SpanId::fresh),
                Optional.of(whole.id()),
                Span.Kind.INTERNAL,
                step.name(),
                whole.began().plus(step.after()),
                step.took(),
                step.words(),
                false);
    }

    private static Map<String, String> words(RecordedCall call, String status) {
        var words = new HashMap<String, String>();
        words.put("caisson.tool", tool(call));
        words.put("caisson.door", call.door().word());
        words.put("caisson.caller", call.caller().id());
        words.put("caisson.status", status);
        call.notes().execution().ifPresent(id -> words.put("caisson.execution", id));
        error(call, status).ifPresent(error -> words.put("caisson.error", error));
        return words;
    }

    /// What went wrong, from closed sets of words: never what a caller or a program wrote.
    private static Optional<String> error(RecordedCall call, String status) {
        if (status.equals(FAULT)) {
            return Optional.of(FAULT);
        }
        return switch (call.ending()) {
            case Ending.Answered(var failed) ->
                    failed
                            ? call.notes().failure().or(() -> Optional.of(status))
                            : Optional.empty();
            case Ending.Refused(var reason) -> Optional.of(reason.name().toLowerCase(Locale.ROOT));
            case Ending.Cancelled _, Ending.Broken _ -> Optional.of(status);
            case Ending.Asked _ -> Optional.empty();
        };
    }

    /// What a caller calls a tool that is not there is the caller's text.
    private static String tool(RecordedCall call) {
        return call.ending().equals(new Ending.Refused(Reason.UNKNOWN_TOOL))
                ? UNKNOWN
                : call.tool();
    }
}
