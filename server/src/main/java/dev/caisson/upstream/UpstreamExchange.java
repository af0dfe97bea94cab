package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Call;
import dev.caisson.call.Deadline;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.SpanId;
import dev.caisson.call.ToolErrorType;
import dev.caisson.call.TraceContext;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.UpstreamFailure;
import dev.caisson.upstream.connection.UpstreamResult;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Terms on which calls go to an upstream, and what comes back of them without its credentials.
record UpstreamExchange(UpstreamSettings settings, CredentialValues credentials) {
    /// Failures after which nobody knows what a call that was sent has changed.
    private static final Set<ToolErrorType> VAGUE =
            Set.of(
                    ToolErrorType.TIMEOUT,
                    ToolErrorType.TRANSIENT_NETWORK,
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    ToolErrorType.NO_CAPACITY,
                    ToolErrorType.CANCELLED);

    /// What the upstream says of its progress goes on to who called.
    CallOptions options(
            Call call,
            CallRule rule,
            ToolEffect effect,
            Optional<ObjectNode> inputSchema,
            CallForms forms) {
        return new CallOptions(
                Deadline.in(rule.timeout().orElse(settings.limits().call())),
                effect != ToolEffect.READ,
                Optional.of(traceparent(call.trace())),
                Optional.of(call.notes().id()),
                inputSchema,
                call.notes()::sends,
                said -> progress(call, said),
                forms);
    }

    private void progress(Call call, ObjectNode said) {
        var done = said.path("progress");
        var total = said.path("total");
        if (done.isNumber()) {
            call.messages()
                    .progress(
                            done.doubleValue(),
                            total.isNumber()
                                    ? OptionalDouble.of(total.doubleValue())
                                    : OptionalDouble.empty(),
                            CleanText.title(
                                    credentials
                                            .striking()
                                            .text(said.path("message").asString(""))));
        }
    }

    /// What it answered.
    ObjectNode clean(Call call, UpstreamResult received) {
        var striking = credentials.striking();
        var clean = new StruckAnswer(striking).of(received.result());
        call.notes().redacted(striking.events());
        return clean;
    }

    private static String traceparent(TraceContext trace) {
        return "00-%s-%s-%s"
                .formatted(
                        trace.id().value(), SpanId.fresh().value(), trace.sampled() ? "01" : "00");
    }

    /// It asked for a form that nobody filled in, and failed then.
    UpstreamFailure openForm() {
        return new UpstreamFailure(
                ToolErrorType.INPUT_REQUIRED,
                true,
                "The upstream %s asks for something that nobody here answers."
                        .formatted(settings.id()));
    }

    /// @param name of the tool for programs
    Refusal refusal(UpstreamFailure failure, ToolEffect effect, String name) {
        var changing = effect != ToolEffect.READ;
        var type =
                changing && failure.sent() && VAGUE.contains(failure.type())
                        ? ToolErrorType.OUTCOME_UNKNOWN
                        : failure.type();
        var words = credentials.sentence(failure.sentence());
        return Refusal.of(
                type,
                reason(type),
                type == ToolErrorType.OUTCOME_UNKNOWN
                        ? "Nobody knows whether the call of %s happened: %s Look there before you call it again."
                                .formatted(name, words)
                        : words,
                failure.visit()
                        .<Map<String, Object>>map(page -> Map.of("connect_url", page))
                        .orElse(Map.of()));
    }

    private static Reason reason(ToolErrorType type) {
        return switch (type) {
            case INVALID_ARGUMENTS -> Reason.INVALID_ARGUMENT;
            case UNKNOWN_TOOL -> Reason.UNKNOWN_TOOL;
            case UNDER_REVIEW, DENIED, APPROVAL_DENIED, APPROVAL_EXPIRED -> Reason.DENIED;
            case TIMEOUT -> Reason.TIMED_OUT;
            case NO_CAPACITY -> Reason.NO_CAPACITY;
            case RATE_LIMIT -> Reason.TOO_MANY_ATTEMPTS;
            case BUDGET -> Reason.QUOTA_EXCEEDED;
            case OUTCOME_UNKNOWN -> Reason.OUTCOME_UNKNOWN;
            case AUTHORIZATION_REQUIRED,
                    INPUT_REQUIRED,
                    TOOL_FAILED,
                    TOO_LARGE,
                    UPSTREAM_UNAVAILABLE,
                    CANCELLED,
                    DOOR_CLOSED,
                    TRANSIENT_NETWORK ->
                    Reason.UPSTREAM;
        };
    }
}
