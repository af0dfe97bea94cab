package dev.caisson.acceptance.judge;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The official conformance suite. It runs what a revision requires and, beside that, scenarios it
/// does not score; we want all of them, without a failure and without a warning.
public final class Suite {
    public static final List<String> REVISIONS = List.of("2025-11-25", "2026-07-28");

    private static final String HOME = "@modelcontextprotocol/conformance/";
    static final String PROGRAM = HOME + "dist/index.js";
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Judges judges;

    public Suite(Judges judges) {
        this.judges = judges;
    }

    /// @param endpoint reached through `localhost`, as the suite's check of foreign hosts needs it
    public Score judge(URI endpoint, String revision) {
        var results = Judges.scratch("conformance-" + revision);
        var ended =
                judges.packaged(
                        PROGRAM,
                        List.of(
                                "server",
                                "--url",
                                endpoint.toString(),
                                "--requirements",
                                revision,
                                "-o",
                                results.toString()),
                        LIMIT);
        var score =
                score(
                        revision,
                        requirements(judges, revision),
                        new SuiteResults(results, "server-"));
        if (ended.code() != 0 && score.complete()) {
            throw new AssertionError("the suite itself disagrees: " + ended);
        }
        return score;
    }

    /// What a revision requires, as the suite itself ships it.
    static JsonNode requirements(Judges judges, String revision) {
        return new YAMLMapper().readTree(judges.file(HOME + "requirements/" + revision + ".yaml"));
    }

    private static Score score(String revision, JsonNode requirements, SuiteResults results) {
        var required = requirements.path("server").valueStream().map(JsonNode::asString);
        var unscored =
                requirements
                        .path("not_scored")
                        .valueStream()
                        .filter(entry -> "server".equals(entry.path("leg").asString()))
                        .map(entry -> entry.path("scenario").asString());
        return new Score(
                revision,
                required.map(results::scenario).toList(),
                unscored.map(results::scenario).toList());
    }
}
