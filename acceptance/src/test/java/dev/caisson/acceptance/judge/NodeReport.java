package dev.caisson.acceptance.judge;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.caisson.acceptance.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/// What a test runner of Node reported, each of its tests as one of ours, so that all are counted
/// alike.
public final class NodeReport {
    private NodeReport() {}

    /// Of Vitest: `testResults[].assertionResults[]`.
    public static List<DynamicTest> vitest(Path report) {
        var tests = new ArrayList<DynamicTest>();
        for (var file : read(report).path("testResults")) {
            for (var test : file.path("assertionResults")) {
                tests.add(
                        test(
                                test.path("fullName").asString(),
                                test.path("status").asString().equals("passed"),
                                test.path("failureMessages").toString()));
            }
        }
        return tests;
    }

    /// Of Playwright: suites within suites, which have `specs[]` with their `tests[].results[]`.
    public static List<DynamicTest> playwright(Path report) {
        return suites(read(report)).toList();
    }

    private static Stream<DynamicTest> suites(JsonNode parent) {
        return parent.path("suites")
                .valueStream()
                .flatMap(suite ->
                        Stream.concat(
                                suite.path("specs").valueStream().map(NodeReport::spec),
                                suites(suite)));
    }

    private static DynamicTest spec(JsonNode spec) {
        var results = spec.path("tests").valueStream().map(test -> test.path("results"));
        var passed =
                results.allMatch(each ->
                        each.valueStream()
                                .anyMatch(result ->
                                        result.path("status").asString().equals("passed")));
        return test(
                spec.path("title").asString(),
                passed,
                spec.path("tests").findValues("message").toString());
    }

    private static DynamicTest test(String name, boolean passed, String why) {
        return dynamicTest(
                name,
                () -> {
                    if (!passed) {
                        throw new AssertionError(why);
                    }
                });
    }

    private static JsonNode read(Path report) {
        return Json.parse(Judges.text(report));
    }
}
