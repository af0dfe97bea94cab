package dev.caisson.call;

import java.util.List;
import java.util.Set;

/// Caller: an API key, or the local user over stdio. State that outlives a request is bound to
/// [#id()].
///
/// @param id stable and unguessable enough to own things; never shown to other callers
/// @param name what a person called it, for lists and logs
/// @param scopes what it may do, see [Scope]
/// @param toolsets the groups of tools it sees; empty means every group
/// @param volumes what each of its runs has beside its workspace
/// @param strictParams whether arguments that fail a tool's schema are an error of the protocol for
///   it, and not an answer of the tool
/// @param profile the name of its profile, which says what its sandboxes get
/// @param environments the environments its runs may use, the usual one first; empty means those of
///   its profile
/// @param variables what the programs of this caller find in their environment, over those of its
///   profile
/// @param tools which tools of other servers it sees
/// @param network what its programs may reach; none means that they have no network
public record Caller(
        String id,
        String name,
        Set<Scope> scopes,
        Set<String> toolsets,
        List<StandingVolume> volumes,
        boolean strictParams,
        String profile,
        List<String> environments,
        Variables variables,
        ToolPatterns tools,
        NetworkRules network) {
    /// The profile of a caller who was given no other. There is always one of this name.
    public static final String DEFAULT_PROFILE = "default";

    /// The person at this machine: stdio, and `--no-auth` on loopback.
    public static final Caller LOCAL =
            new Caller("local", "local", Set.of(Scope.values()), Set.of());

    public Caller {
        scopes = Set.copyOf(scopes);
        toolsets = Set.copyOf(toolsets);
        volumes = List.copyOf(volumes);
        environments = List.copyOf(environments);
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

    /// With the default profile.
    public Caller(
            String id,
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            boolean strictParams) {
        this(
                id,
                name,
                scopes,
                toolsets,
                volumes,
                strictParams,
                DEFAULT_PROFILE,
                List.of(),
                Variables.NONE);
    }

    /// One who sees all tools of other servers.
    public Caller(
            String id,
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            boolean strictParams,
            String profile,
            List<String> environments,
            Variables variables) {
        this(
                id,
                name,
                scopes,
                toolsets,
                volumes,
                strictParams,
                profile,
                environments,
                variables,
                ToolPatterns.ALL,
                NetworkRules.NONE);
    }

    /// The same caller, who sees these groups of tools.
    public Caller seeing(Set<String> otherToolsets) {
        return new Caller(
                id,
                name,
                scopes,
                otherToolsets,
                volumes,
                strictParams,
                profile,
                environments,
                variables,
                tools,
                network);
    }

    /// The same caller with other rights.
    public Caller having(Set<Scope> otherScopes) {
        return new Caller(
                id,
                name,
                otherScopes,
                toolsets,
                volumes,
                strictParams,
                profile,
                environments,
                variables,
                tools,
                network);
    }

    /// The same caller, whose runs have these volumes.
    public Caller mounting(List<StandingVolume> otherVolumes) {
        return new Caller(
                id,
                name,
                scopes,
                toolsets,
                otherVolumes,
                strictParams,
                profile,
                environments,
                variables,
                tools,
                network);
    }

    /// The same caller, who is told of invalid arguments by the protocol.
    public Caller strict() {
        return new Caller(
                id,
                name,
                scopes,
                toolsets,
                volumes,
                true,
                profile,
                environments,
                variables,
                tools,
                network);
    }

    /// The same caller, whose programs may reach this.
    public Caller reaching(NetworkRules others) {
        return new Caller(
                id,
                name,
                scopes,
                toolsets,
                volumes,
                strictParams,
                profile,
                environments,
                variables,
                tools,
                others);
    }

    public boolean may(Scope scope) {
        return scopes.contains(scope);
    }

    public boolean sees(String toolset) {
        return toolsets.isEmpty()
                || toolsets.contains(toolset)
                || toolsets.contains(Toolset.CODE.word());
    }
}
