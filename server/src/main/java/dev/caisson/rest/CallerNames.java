package dev.caisson.rest;

import dev.caisson.call.Caller;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.identity.KeyInfo;
import java.util.Map;
import java.util.stream.Collectors;

/// Names of callers, for those who may see all of them. An id stays what it is when nobody has it
/// any more.
public record CallerNames(Map<String, String> byId) {
    public static CallerNames of(KeyDirectory keys) {
        return new CallerNames(
                keys.list().stream()
                        .map(KeyInfo::caller)
                        .collect(Collectors.toMap(Caller::id, Caller::name)));
    }

    /// For one who sees only its own.
    public static CallerNames of(Caller caller) {
        return new CallerNames(Map.of(caller.id(), caller.name()));
    }

    public CallerNames {
        byId = Map.copyOf(byId);
    }

    public String name(String id) {
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
