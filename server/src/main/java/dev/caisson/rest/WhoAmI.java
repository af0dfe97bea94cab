package dev.caisson.rest;

import dev.caisson.call.Scope;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import java.util.List;

/// Who this key is, and where.
///
/// @param toolsets the groups of tools it sees; empty means every group
record WhoAmI(
        String name,
        List<String> scopes,
        @Describe("The groups of tools it sees; empty means every group.") List<String> toolsets,
        String version,
        @Describe("Where clients reach this server.") String baseUrl,
        @Describe("Whether callers need a key here.") boolean auth) {
    static Action action(ServerFacts facts) {
        return ask ->
                Response.ok(
                        Records.tree(
                                new WhoAmI(
                                        ask.caller().name(),
                                        ask.caller().scopes().stream()
                                                .sorted()
                                                .map(Scope::word)
                                                .toList(),
                                        ask.caller().toolsets().stream().sorted().toList(),
                                        facts.version(),
                                        facts.baseUrl().get(),
                                        facts.auth())));
    }
}
