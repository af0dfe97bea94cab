package dev.caisson.rest;

import dev.caisson.call.Scope;
import dev.caisson.identity.KeyInfo;
import dev.caisson.json.Describe;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Action;
import dev.caisson.rest.route.Response;
import java.util.List;
import java.util.Optional;

/// Answer that says which key a request has, and at which server.
///
/// @param toolsets the groups of tools it sees; empty means every group
record WhoAmI(
        @Describe("Null for a caller without a key of this server.") Optional<String> keyId,
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
                                        KeyInfo.keyId(ask.caller()),
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
