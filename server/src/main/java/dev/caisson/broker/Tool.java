package dev.caisson.broker;

import dev.caisson.call.Refusal;
import tools.jackson.databind.node.ObjectNode;

/// Something that can be called.
public interface Tool {
    ToolSpec spec();

    /// @param arguments already valid against the input schema
    /// @throws InterruptedException when the call was cancelled: stop the work and leave
    ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;

    /// What a call that was refused hands back, to whoever wants a result and no error. Structured
    /// content must conform to the output schema.
    default ToolResult refused(Refusal refusal) {
        return ToolResult.failure(refusal.sentence());
    }
}
