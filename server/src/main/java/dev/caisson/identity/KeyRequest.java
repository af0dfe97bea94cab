package dev.caisson.identity;

import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// What a new key shall be.
///
/// @param toolsets empty means every group of tools
/// @param volumes what each of its runs has
/// @param expires empty means never
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
public record KeyRequest(
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        List<StandingVolume> volumes,
        Optional<Instant> expires,
        boolean strictParams) {
    public KeyRequest {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        volumes = List.copyOf(volumes);
    }

    /// As the record of its making has it.
    ObjectNode json() {
        var json = Json.object().put("name", name);
        var granted = json.putArray("scopes");
        scopes.stream().sorted().map(Scope::word).forEach(granted::add);
        var seen = json.putArray("toolsets");
        toolsets.stream().sorted().forEach(seen::add);
        var mounted = json.putArray("volumes");
        volumes.stream().map(StandingVolume::text).sorted().forEach(mounted::add);
        expires.ifPresent(moment -> json.put("expires_at", moment.toString()));
        return json.put("strict_params", strictParams);
    }
}
