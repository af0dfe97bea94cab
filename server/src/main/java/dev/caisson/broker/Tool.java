package dev.caisson.broker;

import dev.caisson.call.Call;
import dev.caisson.call.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Tool of the catalogue: a specification and a function.
public interface Tool {
    ToolSpec spec();

    /// Whether its results, and what it says beside them, are redacted already. All else that
    /// leaves the server on behalf of a tool is redacted behind it, see [RedactedExit].
    default boolean redactsItself() {
        return false;
    }

    /// Values that are handed over in confidence. No refusal of the call repeats them.
    ///
    /// @param arguments as they came, valid or not
    default Set<String> secrets(ObjectNode arguments) {
        return Set.of();
    }

    /// Refuses every call of a tool that nobody may call now, whatever its arguments and rules.
    default void requireOpen() {}

    /// Why calls fail now whatever their arguments, in a word for who looks for tools; empty while
    /// nothing is known to be wrong.
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /// @param arguments already valid against the input schema
    /// @throws InterruptedException when the call was cancelled: stop the work and leave
    ToolResult call(Call call, ObjectNode arguments) throws InterruptedException;

    /// The same tool with arguments of another shape, under names that work when called but are not
    /// advertised. Whoever sees the tool may call them, and the record has the tool's own name.
    default List<Tool> otherForms() {
        return List.of();
    }

    /// What a call that was refused hands back, to whoever wants a result and no error. Structured
    /// content must conform to the output schema.
    default ToolResult refused(Refusal refusal) {
        return ToolResult.failure(refusal.sentence());
    }
}
