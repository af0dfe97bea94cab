package dev.caisson.rest.route;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Access rule of a route: key, scopes and toolset.
///
/// @param key whether a key is needed at all
/// @param oneOf scopes of which the key must have one; empty means that any key will do
/// @param toolset the key must see; empty where the route does what no tool does
public record RouteAccess(boolean key, List<Scope> oneOf, Optional<String> toolset) {
    static final RouteAccess OPEN = new RouteAccess(false, List.of(), Optional.empty());
    static final RouteAccess ANY_KEY = new RouteAccess(true, List.of(), Optional.empty());

    public static RouteAccess of(Scope... oneOf) {
        return new RouteAccess(true, List.of(oneOf), Optional.empty());
    }

    public RouteAccess {
        oneOf = List.copyOf(oneOf);
    }

    /// The same for callers who see a group of tools.
    RouteAccess within(String tools) {
        return new RouteAccess(key, oneOf, Optional.of(tools));
    }

    /// @throws Refusal FORBIDDEN that names the scope or the group of tools
    public void require(Caller caller) {
        if (!oneOf.isEmpty() && oneOf.stream().noneMatch(caller::may)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This needs a key with the scope " + words() + ".",
                    Map.of("scopes", oneOf.stream().map(Scope::word).toList()));
        }
        if (toolset.filter(name -> !caller.sees(name)).isPresent()) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This needs a key that sees the toolset " + toolset.get() + ".",
                    Map.of("toolsets", List.of(toolset.get())));
        }
    }

    /// Such as `audit or admin`.
    String words() {
        return oneOf.stream().map(Scope::word).collect(Collectors.joining(" or "));
    }
}
