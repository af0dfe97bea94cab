package dev.caisson.call;

import java.util.Set;

/// Who asks: an API key, or the local user over stdio. State that outlives a request is bound to
/// [#id()].
///
/// @param id stable and unguessable enough to own things; never shown to other callers
/// @param name what a person called it, for lists and logs
/// @param scopes what it may do, see [Scope]
/// @param toolsets the groups of tools it sees; empty means every group
public record Caller(String id, String name, Set<Scope> scopes, Set<String> toolsets) {
    /// The person at this machine: stdio, and `--no-auth` on loopback.
    public static final Caller LOCAL =
            new Caller("local", "local", Set.of(Scope.values()), Set.of());

    public Caller {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope);
    }

    public boolean sees(String toolset) {
        return toolsets.isEmpty() || toolsets.contains(toolset);
    }
}
