package dev.caisson.broker;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Records;
import dev.caisson.json.SchemaOf;
import tools.jackson.databind.node.ObjectNode;

/// A tool whose arguments are a record: its schema is derived from the record, and the record's
/// constructor checks what a schema cannot say.
public final class TypedTool<I extends Record> implements Tool {
    /// What the tool does.
    @FunctionalInterface
    public interface Body<I> {
        ToolResult call(Call call, I input) throws InterruptedException;
    }

    private final ToolSpec spec;
    private final Class<I> input;
    private final Body<I> body;

    private TypedTool(ToolSpec spec, Class<I> input, Body<I> body) {
        this.spec = spec;
        this.input = input;
        this.body = body;
    }

    /// @param spec its input schema is replaced by the record's
    public static <I extends Record> TypedTool<I> of(ToolSpec spec, Class<I> input, Body<I> body) {
        return new TypedTool<>(spec.taking(SchemaOf.record(input)), input, body);
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(Call call, ObjectNode arguments) throws InterruptedException {
        return body.call(call, read(arguments));
    }

    /// Only the record's own complaint is the caller's mistake; what the body throws later is not.
    private I read(ObjectNode arguments) {
        try {
            return Records.read(arguments, input);
        } catch (IllegalArgumentException complaint) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The arguments of "
                            + spec.name()
                            + " are not valid: "
                            + complaint.getMessage());
        }
    }
}
