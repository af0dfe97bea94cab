package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Variables;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Request for a new key.
///
/// @param toolsets empty means every group of tools
/// @param volumes what each of its runs has
/// @param expires empty means never
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
/// @param profile the name of its profile
/// @param environments those its runs may use, the usual one first; empty means those of its
///   profile
/// @param variables what its programs find in their environment
/// @param tools which tools of other servers it sees
/// @param network what its programs may reach
public record KeyRequest(
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        List<StandingVolume> volumes,
        Optional<Instant> expires,
        boolean strictParams,
        String profile,
        List<String> environments,
        Variables variables,
        ToolPatterns tools,
        NetworkRules network) {
    /// How long a name may be, in characters.
    public static final int NAME_MAX = 100;

    public KeyRequest {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        volumes = List.copyOf(volumes);
        environments = List.copyOf(environments);
    }

    /// With the default profile.
    public KeyRequest(
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            Optional<Instant> expires,
            boolean strictParams) {
        this(
                name,
                scopes,
                toolsets,
                volumes,
                expires,
                strictParams,
                Caller.DEFAULT_PROFILE,
                List.of(),
                Variables.NONE,
                ToolPatterns.ALL,
                NetworkRules.NONE);
    }

    /// As the record of its making has it.
    public ObjectNode json() {
        var json = Json.object().put("name", name);
        var granted = json.putArray("scopes");
        scopes.stream().sorted().map(Scope::word).forEach(granted::add);
        var seen = json.putArray("toolsets");
        toolsets.stream().sorted().forEach(seen::add);
        var mounted = json.putArray("volumes");
        volumes.stream().map(StandingVolume::text).sorted().forEach(mounted::add);
        expires.ifPresent(moment -> json.put("expires_at", moment.toString()));
        var packages = json.putArray("environments");
        environments.forEach(packages::add);
        if (!tools.equals(ToolPatterns.ALL)) {
            tools.patterns().forEach(json.putArray("tools")::add);
        }
        if (!network.isNone()) {
            json.set("network", Records.tree(NetworkForm.shown(network)));
        }
        var names = json.putArray("env_vars");
        variables.plain().keySet().stream().sorted().forEach(names::add);
        var secretNames = json.putArray("secret_env_vars");
        variables.secret().keySet().stream().sorted().forEach(secretNames::add);
        return json.put("strict_params", strictParams).put("profile", profile);
    }
}
