package dev.caisson.acceptance.judge;

import dev.caisson.acceptance.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// What the official suite wrote about the scenarios it ran.
///
/// @param prefix of the directories, before the name of a scenario
record SuiteResults(Path directory, String prefix) {
    /// Reads what the suite wrote about a scenario. One it did not run is a complaint.
    Score.Scenario scenario(String name) {
        var file = checksOf(name);
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

    /// The suite writes `PREFIX` `SCENARIO-TIME/checks.json`; a scenario with `/` in its name is in
    /// a directory of that name.
    private List<Path> checksOf(String name) {
        var wanted = Pattern.compile(Pattern.quote(prefix + name) + "-\\d{4}-\\d\\d-\\d\\dT[^/]*");
        try (var entries = Files.walk(directory, 2)) {
            return entries.filter(entry ->
                            wanted.matcher(directory.relativize(entry).toString()).matches())
                    .map(entry -> entry.resolve("checks.json"))
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
