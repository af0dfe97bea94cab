package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.judge.Judges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Real clients run programs that take longer than the clients wait for an answer: with their
/// default timeouts, in every era and over every transport.
@Tag("root")
@Tag("browser")
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LongRunClientsTest {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    private static final int WAITS_MAX = 20;
    private static final String PROGRAM =
            "{\"language\":\"bash\",\"code\":\"echo begun; sleep 6; echo finished\"}";

    private final Judges judges = Judges.ready();
    private Product patient;
    private Product quick;

    /// @param first the data of a server as it is shipped
    /// @param second that of one that answers soon, so that a short program takes too long for it
    @BeforeAll
    void start(@TempDir Path first, @TempDir Path second) throws IOException {
        patient = Product.start(first);
        quick =
                Product.start(
                        second,
                        "--set",
                        "mcp.answer_within=2s",
                        "--set",
                        "sandbox.detach_after=2s");
    }

    @AfterAll
    void stop() {
        patient.close();
        quick.close();
    }

    @Test
    void a_program_outlives_the_minute_that_a_client_waits() {
        var said = run(patient, "streamable", 70);
        assertThat(said.path("calls").asInt()).isGreaterThan(1);
        assertThat(said.path("ms").asInt()).isGreaterThan(70_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"streamable", "sse", "legacy", "modern"})
    void a_program_takes_longer_than_an_answer_may(String kind) {
        assertThat(run(quick, kind, 6).path("calls").asInt()).isGreaterThan(1);
    }

    private JsonNode run(Product product, String kind, int seconds) {
        var arguments = List.of(kind, address(product), product.key(), Integer.toString(seconds));
        var said = Json.parse(judges.script("long.mjs", arguments, LIMIT).expect(0).out().strip());
        assertThat(said.path("first").asString()).isEqualTo("begun\n");
        assertThat(said.path("status").asString()).isEqualTo("success");
        assertThat(said.path("stdout").asString()).isEqualTo("begun\nfinished\n");
        return said;
    }

    @Test
    void the_inspector_comes_back_for_a_program_that_takes_long() {
        var report = inspect("legacy", "sandbox_execute", PROGRAM);
        assertThat(report.path("status").asString()).isEqualTo("running");
        assertThat(report.path("stdout").asString()).isEqualTo("begun\n");
        var wait = "{\"execution_id\":\"%s\"}".formatted(report.path("execution_id").asString());
        for (var i = 0; i < WAITS_MAX && report.path("status").asString().equals("running"); i++) {
            report = inspect("legacy", "execution_wait", wait);
        }
        assertThat(report.path("stdout").asString()).isEqualTo("begun\nfinished\n");
    }

    @Test
    void the_inspector_of_the_modern_era_follows_it_as_a_task() {
        var report = inspect("modern", "sandbox_execute", PROGRAM);
        assertThat(report.path("stdout").asString()).isEqualTo("begun\nfinished\n");
    }

    private JsonNode inspect(String era, String tool, String arguments) {
        var command = new ArrayList<>(List.of("--cli", address(quick)));
        command.addAll(List.of("--protocol-era", era, "--format", "json"));
        command.addAll(List.of("--header", "Authorization: Bearer " + quick.key()));
        command.addAll(List.of("--method", "tools/call", "--tool-name", tool));
        command.addAll(List.of("--tool-args-json", arguments));
        var ended = judges.packaged(INSPECTOR, command, LIMIT).expect(0);
        var answer = Json.parse(ended.out().strip());
        return (answer.has("result") ? answer.path("result") : answer).path("structuredContent");
    }

    private static String address(Product product) {
        return "http://127.0.0.1:" + product.port() + "/mcp";
    }
}
