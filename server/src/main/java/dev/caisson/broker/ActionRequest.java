package dev.caisson.broker;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Request to the broker for one action: the call of a tool, or anything else that is recorded.
///
/// @param name as the ledger has it, such as `volume_create`
/// @param arguments all that decides what is done, as it came; never a secret the server made
/// @param changing whether it may change something
/// @param origin of the tool that is called; absent for what is no tool
public record ActionRequest(
        String name, ObjectNode arguments, boolean changing, Optional<ToolOrigin> origin) {
    public ActionRequest(String name, ObjectNode arguments, boolean changing) {
        this(name, arguments, changing, Optional.empty());
    }

    /// An action that may change something.
    public static ActionRequest change(String name, ObjectNode arguments) {
        return new ActionRequest(name, arguments, true);
    }

    /// An action that only reads.
    public static ActionRequest read(String name, ObjectNode arguments) {
        return new ActionRequest(name, arguments, false);
    }
}
