package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Digests;
import dev.caisson.call.Scope;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Tool of an upstream in the catalogue. It is called like our own, through the same stages; its
/// text is the word of the upstream, and its result is passed on as it came, without the upstream's
/// credentials.
final class UpstreamTool implements Tool {
    /// How long a name may be that every client takes.
    private static final int NAME_MAX = 64;

    private static final int NAME_HEAD = 55;
    private static final int NAME_DIGITS = 8;

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
        var forms = new CallForms(call, settings, exchange.credentials(), definition.asTask());
        try {
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
        } catch (UpstreamFailure failure) {
            throw exchange.refusal(named(failure, forms), effect, spec.qualifiedName());
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

    private ObjectNode sent(ObjectNode arguments, String key) {
        return settings.rule(definition.name())
                .idempotencyArgument()
                .map(name -> arguments.deepCopy().put(name, key))
                .orElse(arguments);
    }
}
