package dev.caisson.upstream;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Tool of an upstream that nobody has decided on yet. It is not listed, found or described: a call
/// of it hears what it waits for. Nothing of its definition but its name stands here.
final class WaitingTool implements Tool {
    private final ToolSpec spec;

    /// @param names that programs would have for it
    WaitingTool(UpstreamSettings settings, String name, ToolNaming.Names names) {
        var module = settings.module();
        this.spec =
                ToolSpec.named(UpstreamTool.name(module, names.python()), name, "")
                        .taking(Json.object().put("type", "object"))
                        .in("up_" + module)
                        .within(Scope.TOOLS)
                        .from(
                                new ToolOrigin(
                                        settings.id(),
                                        module,
                                        names.python(),
                                        names.js(),
                                        name,
                                        "",
                                        ToolEffect.UNKNOWN,
                                        false))
                        .build();
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public void requireOpen() {
        throw ReviewGate.isNew(spec.qualifiedName());
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) {
        throw ReviewGate.isNew(spec.qualifiedName());
    }
}
