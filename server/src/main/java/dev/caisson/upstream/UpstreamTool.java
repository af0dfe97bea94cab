package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Digests;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.ToolErrorType;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tool of an upstream in the catalogue. It is called like our own, through the same stages; its
/// text is the word of the upstream, and its result is passed on as it came, without the upstream's
/// credentials.
final class UpstreamTool implements Tool {
    /// How long a name may be that every client takes.
    private static final int NAME_MAX = 64;

    private static final int NAME_HEAD = 55;
    private static final int NAME_DIGITS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTool.class);

    /// Before each repetition of a call that may be repeated.
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

    private final UpstreamSettings settings;
    private final ToolDefinition definition;
    private final ToolEffect effect;
    private final ToolSpec spec;
    private final UpstreamLink link;
    private final UpstreamExchange exchange;
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
        this.exchange = new UpstreamExchange(settings, credentials);
        this.state = state;
    }

    private ToolSpec spec(ReviewedTool tool) {
        var module = settings.module();
        var function = tool.pythonName().orElseThrow();
        var origin =
                new ToolOrigin(
                        settings.id(),
                        module,
                        function,
                        tool.jsName().orElseThrow(),
                        tool.name(),
                        definition.hash(),
                        effect,
                        settings.trust() == UpstreamSettings.Trust.TRUSTED);
        var spec =
                ToolSpec.named(
                                name(module, function),
                                definition.title(),
                                origin.attribution() + definition.description())
                        .taking(definition.inputSchema())
                        .hinted(hints())
                        .in("up_" + module)
                        .within(Scope.TOOLS)
                        .from(origin);
        return definition.outputSchema().map(spec::returning).orElse(spec).build();
    }

    private ToolSpec.Hints hints() {
        return switch (effect) {
            case READ -> new ToolSpec.Hints(true, false, true, true);
            case WRITE -> new ToolSpec.Hints(false, false, false, true);
            case DESTROY, UNKNOWN -> new ToolSpec.Hints(false, true, false, true);
        };
    }

    /// By which every client can call it.
    static String name(String module, String function) {
        var whole = module + "__" + function;
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
    public void requireOpen() {
        ReviewGate.require(state.get(), spec.qualifiedName());
    }

    @Override
    public Optional<String> trouble() {
        if (state.get() != ToolState.APPROVED) {
            return Optional.of("under_review");
        }
        return Optional.of(link.state()).filter(LinkState.BROKEN::equals).map(LinkState::word);
    }

    /// It may have changed while a person was asked.
    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        requireOpen();
        var forms = forms(call);
        try {
            return answered(call, arguments, forms);
        } catch (UpstreamFailure failure) {
            var refusal = exchange.refusal(named(failure, forms), effect, spec.qualifiedName());
            if (refusal.type() == ToolErrorType.OUTCOME_UNKNOWN && mayRepeat()) {
                return repeated(call, arguments, refusal);
            }
            throw refusal;
        }
    }

    /// Who looks for what became of it there needs its name.
    private static UpstreamFailure named(UpstreamFailure failure, CallForms forms) {
        return forms.task()
                .map(task ->
                        new UpstreamFailure(
                                failure.type(),
                                failure.sent(),
                                failure.sentence() + " There it is the task " + task + "."))
                .orElse(failure);
    }

    private ToolResult answered(Call call, ObjectNode arguments, CallForms forms)
            throws UpstreamFailure, InterruptedException {
        var received =
                link.callTool(
                        call.caller().id(),
                        definition.name(),
                        sent(arguments, call.notes().id()),
                        exchange.options(
                                call,
                                settings.rule(definition.name()),
                                effect,
                                Optional.of(definition.inputSchema()),
                                forms));
        if (received.isError() && forms.leftOpen()) {
            throw exchange.openForm();
        }
        return CallResult.of(exchange.clean(call, received));
    }

    private CallForms forms(Call call) {
        return new CallForms(call, settings, exchange.credentials(), definition.asTask());
    }

    /// Only where somebody who is believed says that a second call with the same key changes no
    /// more.
    private boolean mayRepeat() {
        var rule = settings.rule(definition.name());
        boolean trusted = settings.trust() == UpstreamSettings.Trust.TRUSTED;
        return rule.retry() && (rule.idempotent() || (trusted && definition.idempotent()));
    }

    /// The same call with the same key, until it is answered. What an answer refuses may have been
    /// done before, so that nobody knows then either.
    private ToolResult repeated(Call call, ObjectNode arguments, Refusal unknown)
            throws InterruptedException {
        for (var pause : PAUSES) {
            Thread.sleep(pause);
            try {
                return answered(call, arguments, forms(call));
            } catch (UpstreamFailure again) {
                LOG.debug("{} is not answered", spec.qualifiedName(), again);
            }
        }
        throw unknown;
    }

    private ObjectNode sent(ObjectNode arguments, String key) {
        return settings.rule(definition.name())
                .idempotencyArgument()
                .map(name -> arguments.deepCopy().put(name, key))
                .orElse(arguments);
    }
}
