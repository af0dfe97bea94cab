package dev.caisson.rest;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Who may use a route.
///
/// @param key whether a key is needed at all
/// @param oneOf scopes of which the key must have one; empty means that any key will do
record Access(boolean key, List<Scope> oneOf) {
    static final Access OPEN = new Access(false, List.of());
    static final Access ANY_KEY = new Access(true, List.of());

    static Access of(Scope... oneOf) {
        return new Access(true, List.of(oneOf));
    }

    Access {
        oneOf = List.copyOf(oneOf);
    }

    /// @throws Refusal FORBIDDEN that names the scope
    void require(Caller caller) {
        if (!oneOf.isEmpty() && oneOf.stream().noneMatch(caller::may)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "This needs a key with the scope " + words() + ".",
                    Map.of("scopes", oneOf.stream().map(Scope::word).toList()));
        }
    }

    /// Such as `audit or admin`.
    String words() {
        return oneOf.stream().map(Scope::word).collect(Collectors.joining(" or "));
    }
}
