package dev.caisson.actions;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolLookup;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.stubs.Identifiers;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Tools that calls are about, as a caller names them: `server/tool` or `module.function`.
@FunctionalInterface
public interface CalledTools {
    Pattern NAME = Pattern.compile("([a-z0-9][a-z0-9_-]{0,39})[/.]([A-Za-z0-9_./-]{1,260})");

    /// A tool, and the arguments as it would get them.
    record Called(ToolOrigin origin, Optional<ObjectNode> arguments) {}

    /// A name in its parts.
    ///
    /// @param module of programs
    record Named(String module, String tool) {
        /// @throws Refusal INVALID_ARGUMENT for a text of another form
        public static Named of(String call) {
            var parts = NAME.matcher(call);
            if (!parts.matches()) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "call names a tool as server/tool, such as github/create_issue or caisson/sandbox_execute.",
                        Map.of("parameter", "call"));
            }
            return new Named(Identifiers.module(parts.group(1)), parts.group(2));
        }
    }

    /// @throws Refusal UNKNOWN_TOOL when the caller sees none of that name; INVALID_ARGUMENT when
    ///   the arguments are not valid for it
    Called find(Caller caller, String call, Optional<ObjectNode> arguments);

    /// Those of a broker.
    static CalledTools of(Broker broker) {
        return (caller, call, arguments) -> {
            var found = lookup(broker, caller, Named.of(call));
            return new Called(
                    found.spec().orElseThrow(CalledTools::unknown).effectiveOrigin(),
                    arguments.map(found::accepted));
        };
    }

    private static ToolLookup lookup(Broker broker, Caller caller, Named named) {
        var byOrigin = broker.findOrigin(caller, named.module(), named.tool());
        if (byOrigin.spec().isPresent()) {
            return byOrigin;
        }
        return broker.callable(caller).stream()
                .filter(spec -> {
                    var origin = spec.effectiveOrigin();
                    return origin.server().equals(named.module())
                            && origin.function().equals(named.tool());
                })
                .findFirst()
                .map(ToolSpec::name)
                .map(name -> broker.find(caller, name))
                .orElse(byOrigin);
    }

    static Refusal unknown() {
        return Refusal.of(
                ToolErrorType.UNKNOWN_TOOL,
                Reason.UNKNOWN_TOOL,
                "The key sees no tool of this name: there is none, it is not approved, or its scopes, toolsets or tools leave it out.");
    }
}
