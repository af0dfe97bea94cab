package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is known of a key. Its secret is not.
///
/// @param id the part of the key that may be shown
/// @param name what a person called it
/// @param toolsets the groups of tools it sees; empty means every group
/// @param volumes what each of its runs has, in the order of their names
/// @param firstUsed when its holder was admitted for the first time
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
public record KeyInfo(
        String id,
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        List<StandingVolume> volumes,
        Instant created,
        Optional<Instant> expires,
        Optional<Instant> revoked,
        Optional<Instant> firstUsed,
        boolean strictParams) {
    public KeyInfo {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        volumes = volumes.stream().sorted(Comparator.comparing(StandingVolume::name)).toList();
    }

    boolean worksAt(Instant now) {
        return revoked.isEmpty() && expires.map(now::isBefore).orElse(true);
    }

    public Caller caller() {
        return new Caller(callerId(id), name, scopes, toolsets, volumes, strictParams);
    }

    /// What the holder of a key is called as a caller.
    static String callerId(String keyId) {
        return "key:" + keyId;
    }
}
