package dev.caisson.cli;

import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Variables;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Administration of keys for the command line: create, list, revoke.
public interface KeyAdmin extends AutoCloseable {
    /// @param toolsets empty means every one
    /// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
    /// @param environments those its runs may use, the usual one first; empty means the profile's
    /// @param variables what its programs find in their environment
    /// @param tools which tools of other servers it sees
    /// @param network what its programs may reach, as it is written in JSON
    record Wanted(
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
            Optional<JsonNode> network) {
        public Wanted {
            scopes = Set.copyOf(scopes);
            toolsets = Set.copyOf(toolsets);
            volumes = List.copyOf(volumes);
            environments = List.copyOf(environments);
        }

        /// With the default profile.
        public Wanted(
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
                    Optional.empty());
        }
    }

    /// @param key the secret itself, which nobody can read again
    record Created(String id, String key) {}

    record Listed(
            String id,
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            Instant created,
            Optional<Instant> expires,
            Optional<Instant> revoked,
            Optional<Instant> firstUsed,
            Optional<Instant> lastUsed,
            boolean strictParams,
            String profile,
            List<String> environments,
            ToolPatterns tools,
            List<String> network) {
        public Listed {
            network = List.copyOf(network);
            environments = List.copyOf(environments);
            scopes = Set.copyOf(scopes);
            toolsets = Set.copyOf(toolsets);
            volumes = List.copyOf(volumes);
        }

        /// One word: `valid`, `expired` or `revoked`.
        String state(Instant now) {
            if (revoked.isPresent()) {
                return "revoked";
            }
            return expires.filter(moment -> !now.isBefore(moment)).isPresent()
                    ? "expired"
                    : "valid";
        }
    }

    Created create(Wanted wanted);

    List<Listed> list();

    /// @return whether there was such a key
    boolean revoke(String id);

    /// Whether anybody has a volume of this name.
    boolean hasVolume(String name);

    /// Where the keys are kept.
    DataUse dataUse();

    @Override
    void close();
}
