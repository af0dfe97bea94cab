package dev.caisson.identity;

import dev.caisson.call.Caller;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Variables;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Key information without the secret. Its secret is not.
///
/// @param id the part of the key that may be shown
/// @param name what a person called it
/// @param toolsets the groups of tools it sees; empty means every group
/// @param volumes what each of its runs has, in the order of their names
/// @param firstUsed when its holder was admitted for the first time
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
/// @param profile the name of its profile
/// @param environments those its runs may use, the usual one first; empty means those of its
///   profile
/// @param variables what its programs find in their environment
/// @param tools which tools of other servers it sees
/// @param network what its programs may reach
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
        boolean strictParams,
        String profile,
        List<String> environments,
        Variables variables,
        ToolPatterns tools,
        NetworkRules network) {
    private static final String CALLER = "key:";

    public KeyInfo {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        environments = List.copyOf(environments);
        volumes = volumes.stream().sorted(Comparator.comparing(StandingVolume::name)).toList();
    }

    /// With the default profile.
    public KeyInfo(
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
        this(
                id,
                name,
                scopes,
                toolsets,
                volumes,
                created,
                expires,
                revoked,
                firstUsed,
                strictParams,
                Caller.DEFAULT_PROFILE,
                List.of(),
                Variables.NONE,
                ToolPatterns.ALL,
                NetworkRules.NONE);
    }

    public boolean worksAt(Instant now) {
        return revoked.isEmpty() && expires.map(now::isBefore).orElse(true);
    }

    public Caller caller() {
        return new Caller(
                callerId(id),
                name,
                scopes,
                toolsets,
                volumes,
                strictParams,
                profile,
                environments,
                variables,
                tools,
                network);
    }

    /// What the holder of a key is called as a caller.
    static String callerId(String keyId) {
        return CALLER + keyId;
    }

    /// The id of a caller's key; empty for one without a key of ours.
    public static Optional<String> keyId(Caller caller) {
        return caller.id().startsWith(CALLER)
                ? Optional.of(caller.id().substring(CALLER.length()))
                : Optional.empty();
    }
}
