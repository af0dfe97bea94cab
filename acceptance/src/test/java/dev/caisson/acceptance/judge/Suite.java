package dev.caisson.acceptance.judge;

import dev.caisson.acceptance.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The official conformance suite. It runs what a revision requires and, beside that, scenarios it
/// does not score; we want all of them, without a failure and without a warning.
public final class Suite {
    public static final List<String> REVISIONS = List.of("2025-11-25", "2026-07-28");

    private static final String HOME = "@modelcontextprotocol/conformance/";
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
                        HOME + "dist/index.js",
                        List.of(
                                "server",
                                "--url",
                                endpoint.toString(),
                                "--requirements",
                                revision,
                                "-o",
                                results.toString()),
                        LIMIT);
        var requirements =
                new YAMLMapper().readTree(judges.file(HOME + "requirements/" + revision + ".yaml"));
        var score = score(revision, requirements, results);
        if (ended.code() != 0 && score.complete()) {
            throw new AssertionError("the suite itself disagrees: " + ended);
        }
        return score;
    }

    private static Score score(String revision, JsonNode requirements, Path results) {
        var required = requirements.path("server").valueStream().map(JsonNode::asString);
        var unscored =
                requirements
                        .path("not_scored")
                        .valueStream()
                        .filter(entry -> "server".equals(entry.path("leg").asString()))
                        .map(entry -> entry.path("scenario").asString());
        return new Score(
                revision,
                required.map(name -> scenario(results, name)).toList(),
                unscored.map(name -> scenario(results, name)).toList());
    }

    /// Reads what the suite wrote about a scenario. One it did not run is a complaint.
    private static Score.Scenario scenario(Path results, String name) {
        var file = checksOf(results, name);
        if (file.isEmpty()) {
            return new Score.Scenario(name, 0, 0, List.of("was not run"));
        }
        int succeeded = 0;
        int skipped = 0;
        var complaints = new ArrayList<String>();
        for (var check : Json.parse(Judges.text(file.getFirst()))) {
            switch (check.path("status").asString()) {
                case "SUCCESS" -> succeeded++;
                case "SKIPPED" -> skipped++;
                case "INFO" -> {}
                default -> complaints.add(complaint(check));
            }
        }
        return new Score.Scenario(name, succeeded, skipped, complaints);
    }

    private static String complaint(JsonNode check) {
        return "%s %s: %s"
                .formatted(
                        check.path("status").asString(),
                        check.path("id").asString(),
                        check.path("errorMessage")
                                .asString(check.path("description").asString("")));
    }

    /// The suite writes `server-SCENARIO-TIME/checks.json`.
    private static List<Path> checksOf(Path results, String name) {
        var wanted = "server-" + name + "-\\d{4}-\\d\\d-\\d\\dT.*";
        try (var entries = Files.newDirectoryStream(results)) {
            return StreamSupport.stream(entries.spliterator(), false)
                    .filter(entry -> entry.getFileName().toString().matches(wanted))
                    .map(entry -> entry.resolve("checks.json"))
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
