package dev.caisson.policy;

import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Call as rules see it. What is not known of it is absent.
///
/// @param callerId of the key
/// @param callerName what a person called the key
/// @param server the id of the tool's server as a module of programs
/// @param tool the name of the tool at its server
/// @param trusted whether the server is believed what it says of its tools
public record Subject(
        String callerId,
        Optional<String> callerName,
        String server,
        String tool,
        ToolEffect effect,
        Optional<Boolean> trusted,
        Optional<Door> door,
        Optional<ObjectNode> arguments) {
    public static Subject of(
            Caller caller, ToolOrigin tool, Optional<Door> door, Optional<ObjectNode> arguments) {
        return new Subject(
                caller.id(),
                Optional.of(caller.name()),
                tool.server(),
                tool.tool(),
                tool.effect(),
                Optional.of(tool.trusted()),
                door,
                arguments);
    }
}
