package dev.caisson.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.judge.ConsoleProject;
import dev.caisson.acceptance.judge.NodeReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The sources of the web console are well-typed, tidy, and do what their own tests say.
@Tag("browser")
final class ConsoleSourcesTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Map<String, String> ENV = Map.of("NO_COLOR", "1", "CI", "true");

    private final ConsoleProject console = ConsoleProject.ready();

    @Test
    void the_types_hold() {
        console.packaged("typescript/bin/tsc", List.of("--noEmit"), ENV, LIMIT).expect(0);
    }

    @Test
    void the_linter_finds_nothing() {
        var check = List.of("check", "--error-on-warnings");
        console.packaged("@biomejs/biome/bin/biome", check, ENV, LIMIT).expect(0);
    }

    @TestFactory
    List<DynamicTest> its_own_tests() {
        var report = console.made("unit.json");
        var arguments = List.of("run", "--reporter=json", "--outputFile=" + report);
        console.packaged("vitest/vitest.mjs", arguments, ENV, LIMIT);
        var tests = NodeReport.vitest(report);
        assertThat(tests).as("tests of the console").hasSizeGreaterThan(60);
        return tests;
    }
}
