package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// What is known of a key. Its secret is not.
///
/// @param id the part of the key that may be shown
/// @param name what a person called it
/// @param toolsets the groups of tools it sees; empty means every group
public record KeyInfo(
        String id,
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        Instant created,
        Optional<Instant> expires,
        Optional<Instant> revoked) {
    public KeyInfo {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
    }

    boolean worksAt(Instant now) {
        return revoked.isEmpty() && expires.map(now::isBefore).orElse(true);
    }

    public Caller caller() {
        return new Caller("key:" + id, name, scopes, toolsets);
    }
}
