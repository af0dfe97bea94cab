package dev.caisson.call;

import java.util.List;
import java.util.Set;

/// Who asks: an API key, or the local user over stdio. State that outlives a request is bound to
/// [#id()].
///
/// @param id stable and unguessable enough to own things; never shown to other callers
/// @param name what a person called it, for lists and logs
/// @param scopes what it may do, see [Scope]
/// @param toolsets the groups of tools it sees; empty means every group
/// @param volumes what each of its runs has beside its workspace
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol for
///   it, and not an answer of the tool
public record Caller(
        String id,
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        List<StandingVolume> volumes,
        boolean strictParams) {
    /// The person at this machine: stdio, and `--no-auth` on loopback.
    public static final Caller LOCAL =
            new Caller("local", "local", Set.of(Scope.values()), Set.of());

    public Caller {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        volumes = List.copyOf(volumes);
    }

    /// Without volumes.
    public Caller(String id, String name, Set<Scope> scopes, Set<String> toolsets) {
        this(id, name, scopes, toolsets, List.of());
    }

    /// One to whom tools say what is wrong with arguments.
    public Caller(
            String id,
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes) {
        this(id, name, scopes, toolsets, volumes, false);
    }

    /// The same caller, who sees these groups of tools.
    public Caller seeing(Set<String> otherToolsets) {
        return new Caller(id, name, scopes, otherToolsets, volumes, strictParams);
    }

    /// The same caller, who is told of invalid arguments by the protocol.
    public Caller strict() {
        return new Caller(id, name, scopes, toolsets, volumes, true);
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope);
    }

    public boolean sees(String toolset) {
        return toolsets.isEmpty() || toolsets.contains(toolset);
    }
}
