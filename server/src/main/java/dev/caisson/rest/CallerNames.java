package dev.caisson.rest;

import dev.caisson.call.Caller;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.Keys;
import java.util.Map;
import java.util.stream.Collectors;

/// What callers are called, for those who may see all of them. An id stays what it is when nobody
/// has it any more.
record CallerNames(Map<String, String> byId) {
    static CallerNames of(Keys keys) {
        return new CallerNames(
                keys.list().stream()
                        .map(KeyInfo::caller)
                        .collect(Collectors.toMap(Caller::id, Caller::name)));
    }

    /// For one who sees only its own.
    static CallerNames of(Caller caller) {
        return new CallerNames(Map.of(caller.id(), caller.name()));
    }

    CallerNames {
        byId = Map.copyOf(byId);
    }

    String name(String id) {
        return byId.getOrDefault(id, id);
    }

    /// The id of somebody who is called so; the text itself when it is no name.
    String id(String nameOrId) {
        return byId.entrySet().stream()
                .filter(entry -> entry.getValue().equals(nameOrId))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(nameOrId);
    }
}
