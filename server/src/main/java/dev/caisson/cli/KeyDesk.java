package dev.caisson.cli;

import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Where keys are made and taken back.
public interface KeyDesk extends AutoCloseable {
    /// @param toolsets empty means every one
    /// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
    record Wanted(
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            Optional<Instant> expires,
            boolean strictParams) {
        public Wanted {
            scopes = Set.copyOf(scopes);
            toolsets = Set.copyOf(toolsets);
            volumes = List.copyOf(volumes);
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
            boolean strictParams) {
        public Listed {
            scopes = Set.copyOf(scopes);
            toolsets = Set.copyOf(toolsets);
            volumes = List.copyOf(volumes);
        }
    }

    Created create(Wanted wanted);

    List<Listed> list();

    /// @return whether there was such a key
    boolean revoke(String id);

    @Override
    void close();
}
