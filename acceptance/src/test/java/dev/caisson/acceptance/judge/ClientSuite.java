package dev.caisson.acceptance.judge;

import dev.caisson.acceptance.JavaProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The official conformance suite's scenarios for clients: it serves, and our client of upstreams
/// connects. All that a revision requires is run, with what else it offers of authorization.
public final class ClientSuite {
    /// Ways to a token that are not built: by an identity provider of an enterprise, by the
    /// identity of a workload, and tokens bound to a key.
    public static final Set<String> OTHER_TOKENS =
            Set.of(
                    "auth/enterprise-managed-authorization",
                    "auth/wif-jwt-bearer",
                    "auth/dpop",
                    "auth/dpop-nonce");

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Judges judges;

    public ClientSuite(Judges judges) {
        this.judges = judges;
    }

    public Score judge(String revision) {
        var results = Judges.scratch("client-" + revision);
        var requirements = Suite.requirements(judges, revision);
        var required = requirements.path("client").valueStream().map(JsonNode::asString);
        var unscored =
                requirements
                        .path("not_scored")
                        .valueStream()
                        .filter(entry -> entry.path("leg").asString().equals("client"))
                        .map(entry -> entry.path("scenario").asString());
        return new Score(
                revision + ", as a client",
                offered(required).map(name -> run(revision, name, results)).toList(),
                offered(unscored).map(name -> run(revision, name, results)).toList());
    }

    private static Stream<String> offered(Stream<String> scenarios) {
        return scenarios.filter(name -> !OTHER_TOKENS.contains(name));
    }

    private Score.Scenario run(String revision, String scenario, Path results) {
        var client =
                JavaProgram.command(
                        Repository.fixtureClassPath(), "dev.caisson.upstream.ConformanceClient");
        judges.packaged(
                Suite.PROGRAM,
                List.of(
                        "client",
                        "--scenario",
                        scenario,
                        "--force",
                        "--spec-version",
                        revision,
                        "--command",
                        String.join(" ", client),
                        "-o",
                        results.toString()),
                LIMIT);
        return new SuiteResults(results, "").scenario(scenario);
    }
}
