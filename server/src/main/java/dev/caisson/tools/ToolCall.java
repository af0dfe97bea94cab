package dev.caisson.tools;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.TypedTool;
import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.call.Toolset;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Tool that calls another one, for clients that are listed few and write no programs. The other
/// tool passes all the stages it would pass if it were called by its name, and has its own record.
public final class ToolCall {
    static final String NAME = "tool_call";

    static final int ARGUMENTS_BYTES_MAX = 1 << 20;

    private final Supplier<Broker> broker;

    private ToolCall(Supplier<Broker> broker) {
        this.broker = broker;
    }

    record Input(
            @Describe("As module.function.") @Length(min = 1, max = ToolDescribe.NAME_LENGTH_MAX)
                    String tool,
            @MaxBytes(ARGUMENTS_BYTES_MAX) Optional<ObjectNode> arguments) {}

    /// What the other tool answers is redacted as its own answers are.
    ///
    /// @param broker whose tools are called
    public static Tool tool(Supplier<Broker> broker) {
        var tool = new ToolCall(broker);
        return TypedTool.withBody(
                        ToolSpec.named(
                                        NAME,
                                        "Call a tool",
                                        "Calls one function that tool_search found, and returns its"
                                                + " result.")
                                .in(Toolset.CODE),
                        Input.class,
                        (call, input, _) -> tool.call(call, input))
                .redactingItself();
    }

    private ToolResult call(Call call, Input input) throws InterruptedException {
        var tools = new NamedTools(broker.get(), call.caller());
        var found =
                tools.called(input.tool())
                        .orElseThrow(() ->
                                Refusal.of(
                                        ToolErrorType.UNKNOWN_TOOL,
                                        Reason.INVALID_ARGUMENT,
                                        tools.unknown(input.tool())));
        return broker.get().call(call, found, input.arguments().orElseGet(Json::object));
    }
}
