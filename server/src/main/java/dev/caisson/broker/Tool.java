package dev.caisson.broker;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Something that can be called.
public interface Tool {
    ToolSpec spec();

    /// @param arguments already valid against the input schema
    /// @throws InterruptedException when the call was cancelled: stop the work and leave
    ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;

    /// The same tool with arguments of another shape, under names that work when called but are not
    /// advertised. Whoever sees the tool may call them, and the record has the tool's own name.
    default List<Tool> otherForms() {
        return List.of();
    }
}
