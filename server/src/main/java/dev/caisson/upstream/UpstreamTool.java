package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Deadline;
import dev.caisson.call.Digests;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.SpanId;
import dev.caisson.call.ToolErrorType;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.UpstreamFailure;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;

/// Tool of an upstream in the catalogue. It is called like our own, through the same stages; its
/// text is the word of the upstream, and its result is passed on as it came, without the upstream's
/// credentials.
final class UpstreamTool implements Tool {
    /// How long a name may be that every client takes.
    private static final int NAME_MAX = 64;

    private static final int NAME_HEAD = 55;
    private static final int NAME_DIGITS = 8;

    /// Failures after which nobody knows what a call that was sent has changed.
    private static final Set<ToolErrorType> VAGUE =
            Set.of(
                    ToolErrorType.TIMEOUT,
                    ToolErrorType.TRANSIENT_NETWORK,
                    ToolErrorType.UPSTREAM_UNAVAILABLE,
                    ToolErrorType.CANCELLED);

    private final UpstreamSettings settings;
    private final ToolDefinition definition;
    private final ToolEffect effect;
    private final ToolSpec spec;
    private final UpstreamLink link;
    private final CredentialValues credentials;
    private final Supplier<ToolState> state;

    /// @param tool one that was approved and has its names
    /// @param state its state now
    UpstreamTool(
            UpstreamSettings settings,
            ReviewedTool tool,
            UpstreamLink link,
            CredentialValues credentials,
            Supplier<ToolState> state) {
        this.settings = settings;
        this.definition = tool.approved().orElseThrow();
        this.effect = tool.effectBy(settings);
        this.spec = spec(tool);
        this.link = link;
        this.credentials = credentials;
        this.state = state;
    }

    private ToolSpec spec(ReviewedTool tool) {
        var module = settings.module();
        var function = tool.pythonName().orElseThrow();
        return ToolSpec.named(
                        name(module + "__" + function),
                        definition.title(),
                        "description by %s: %s".formatted(settings.id(), definition.description()))
                .taking(definition.inputSchema())
                .hinted(hints())
                .in("up_" + module)
                .within(Scope.TOOLS)
                .from(
                        new ToolOrigin(
                                module,
                                function,
                                tool.jsName().orElseThrow(),
                                tool.name(),
                                definition.hash(),
                                effect,
                                settings.trust() == UpstreamSettings.Trust.TRUSTED))
                .build();
    }

    private ToolSpec.Hints hints() {
        return switch (effect) {
            case READ -> new ToolSpec.Hints(true, false, true, true);
            case WRITE -> new ToolSpec.Hints(false, false, false, true);
            case DESTROY, UNKNOWN -> new ToolSpec.Hints(false, true, false, true);
        };
    }

    private static String name(String whole) {
        if (whole.length() <= NAME_MAX) {
            return whole;
        }
        var hash = Digests.sha256Hex(whole.getBytes(StandardCharsets.UTF_8));
        return whole.substring(0, NAME_HEAD) + "_" + hash.substring(0, NAME_DIGITS);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        requireApproved();
        var key = TraceId.fresh().value();
        try {
            var received =
                    link.callTool(
                            call.caller().id(),
                            definition.name(),
                            sent(arguments, key),
                            options(call));
            var striking = credentials.striking();
            var clean = (ObjectNode) striking.tree(received.result());
            call.notes().redacted(striking.events());
            return CallResult.of(clean);
        } catch (UpstreamFailure failure) {
            throw refusal(failure);
        }
    }

    private void requireApproved() {
        switch (state.get()) {
            case APPROVED -> {}
            case NEW, CHANGED ->
                    throw Refusal.of(
                            ToolErrorType.UNDER_REVIEW,
                            Reason.DENIED,
                            "The definition of %s has changed and waits for an operator of this server to review it."
                                    .formatted(spec.qualifiedName()));
            case REFUSED, REMOVED ->
                    throw Refusal.of(
                            ToolErrorType.UNKNOWN_TOOL,
                            Reason.UNKNOWN_TOOL,
                            "There is no tool %s any more.".formatted(spec.qualifiedName()));
        }
    }

    private ObjectNode sent(ObjectNode arguments, String key) {
        return settings.rule(definition.name())
                .idempotencyArgument()
                .map(name -> arguments.deepCopy().put(name, key))
                .orElse(arguments);
    }

    /// What the upstream says of its progress goes on to who called.
    private CallOptions options(Call call) {
        var within = settings.rule(definition.name()).timeout().orElse(settings.limits().call());
        return new CallOptions(
                Deadline.in(within),
                effect != ToolEffect.READ,
                Optional.of(traceparent(call.trace())),
                Optional.of(definition.inputSchema()),
                call.notes()::sends,
                said -> progress(call, said));
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

    private static String traceparent(TraceContext trace) {
        return "00-%s-%s-%s"
                .formatted(
                        trace.id().value(), SpanId.fresh().value(), trace.sampled() ? "01" : "00");
    }

    private Refusal refusal(UpstreamFailure failure) {
        var changing = effect != ToolEffect.READ;
        var type =
                changing && failure.sent() && VAGUE.contains(failure.type())
                        ? ToolErrorType.OUTCOME_UNKNOWN
                        : failure.type();
        var words = credentials.striking().text(failure.sentence());
        return Refusal.of(
                type,
                reason(type),
                type == ToolErrorType.OUTCOME_UNKNOWN
                        ? "Nobody knows whether the call of %s happened: %s Look there before you call it again."
                                .formatted(spec.qualifiedName(), words)
                        : words);
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
