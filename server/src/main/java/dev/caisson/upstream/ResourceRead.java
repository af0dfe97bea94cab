package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.upstream.UpstreamSettings.Trust;
import dev.caisson.upstream.connection.UpstreamFailure;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Reading of a resource of an upstream, as a call of the tool `resources/read`. It has the stages
/// and the record of any call. Nobody is listed it: programs ask for it by its name at the
/// upstream, which no tool of an upstream can have.
final class ResourceRead implements Tool {
    private static final int URI_LENGTH_MAX = 2_048;
    private static final String FUNCTION = "resources_read";

    private final UpstreamSettings settings;
    private final UpstreamLink link;
    private final UpstreamExchange exchange;
    private final ToolEffect effect;
    private final ToolSpec spec;

    ResourceRead(UpstreamSettings settings, UpstreamLink link, CredentialValues credentials) {
        this.settings = settings;
        this.link = link;
        this.exchange = new UpstreamExchange(settings, credentials);
        this.effect =
                settings.rule(ToolOrigin.RESOURCE_READ)
                        .effect()
                        .orElse(
                                settings.trust() == Trust.TRUSTED
                                        ? ToolEffect.READ
                                        : ToolEffect.UNKNOWN);
        this.spec = made();
    }

    private ToolSpec made() {
        var module = settings.module();
        boolean reads = effect == ToolEffect.READ;
        return ToolSpec.named(
                        module + "__" + FUNCTION, "Read a resource", "Reads a resource by its URI.")
                .taking(input())
                .hinted(new Hints(reads, !reads, reads, true))
                .in("up_" + module)
                .within(Scope.TOOLS)
                .from(
                        new ToolOrigin(
                                settings.id(),
                                module,
                                FUNCTION,
                                "resourcesRead",
                                ToolOrigin.RESOURCE_READ,
                                "",
                                effect,
                                settings.trust() == Trust.TRUSTED))
                .build();
    }

    private static ObjectNode input() {
        var schema = Json.object().put("type", "object").put("additionalProperties", false);
        schema.putObject("properties")
                .putObject("uri")
                .put("type", "string")
                .put("minLength", 1)
                .put("maxLength", URI_LENGTH_MAX);
        schema.putArray("required").add("uri");
        return schema;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        var rule = settings.rule(ToolOrigin.RESOURCE_READ);
        var forms = new CallForms(call, settings, exchange.credentials(), false);
        try {
            var received =
                    link.readResource(
                            call.caller().id(),
                            arguments.get("uri").stringValue(),
                            exchange.options(call, rule, effect, Optional.empty(), forms));
            return CallResult.ofResource(exchange.clean(call, received));
        } catch (UpstreamFailure failure) {
            throw exchange.refusal(failure, effect, spec.effectiveOrigin().ledgerName());
        }
    }
}
