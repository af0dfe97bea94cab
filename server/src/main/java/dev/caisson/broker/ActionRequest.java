package dev.caisson.broker;

import tools.jackson.databind.node.ObjectNode;

/// Request to the broker for one action: the call of a tool, or anything else that is recorded.
///
/// @param name as the ledger has it, such as `volume_create`
/// @param arguments all that decides what is done, as it came; never a secret the server made
/// @param changing whether it may change something
public record ActionRequest(String name, ObjectNode arguments, boolean changing) {
    /// An action that may change something.
    public static ActionRequest change(String name, ObjectNode arguments) {
        return new ActionRequest(name, arguments, true);
    }

    /// An action that only reads.
    public static ActionRequest read(String name, ObjectNode arguments) {
        return new ActionRequest(name, arguments, false);
    }
}
