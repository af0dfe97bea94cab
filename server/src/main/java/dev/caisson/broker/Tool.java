package dev.caisson.broker;

import tools.jackson.databind.node.ObjectNode;

/// Something that can be called.
public interface Tool {
    ToolSpec spec();

    /// @param arguments already valid against the input schema
    /// @throws InterruptedException when the call was cancelled: stop the work and leave
    ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;
}
