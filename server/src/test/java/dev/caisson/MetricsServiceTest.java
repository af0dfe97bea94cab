package dev.caisson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an operator reads at `/metrics` after real runs and real transfers of files.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsServiceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private Core core;
    private Server server;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        var config =
                TestProduct.config(directory, "auth.enabled=false", "sandbox.pool_memory_bytes=0B");
        core = Core.open(config, Clock.systemUTC());
        server = Server.start(config, core);
    }

    @AfterAll
    void stop() {
        server.close();
        http.shutdownNow();
    }

    private JsonNode post(String path, ObjectNode body) throws Exception {
        var request =
                HttpRequest.newBuilder(server.address().resolve(path))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Json.text(body)))
                        .build();
        return Json.parse(http.send(request, BodyHandlers.ofString()).body());
    }

    private void bash(String code) throws Exception {
        post(
                "/v1/sandbox/execute",
                Json.object().put("language", "bash").put("code", code).put("thread_id", "m"));
    }

    private static ObjectNode file(String path) {
        return Json.object().put("source", "thread").put("id", "m").put("path", path);
    }

    private String scrape() throws Exception {
        var request = HttpRequest.newBuilder(server.address().resolve("/metrics")).build();
        return http.send(request, BodyHandlers.ofString()).body();
    }

    private double value(String line) throws Exception {
        return scrape().lines()
                .filter(each -> each.startsWith(line + " "))
                .mapToDouble(each -> Double.parseDouble(each.substring(line.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @Test
    void how_programs_ended_is_counted_by_their_exit_codes() throws Exception {
        bash("true");
        bash("exit 7");
        bash("kill -SEGV $$");

        var codes = "caisson_run_exit_codes_total{code=\"%s\",language=\"bash\"}";
        assertThat(value(codes.formatted("0"))).isGreaterThanOrEqualTo(1);
        assertThat(value(codes.formatted("7"))).isEqualTo(1);
        assertThat(value(codes.formatted("139"))).isEqualTo(1);
    }

    @Test
    void what_is_taken_out_of_answers_is_counted() throws Exception {
        var counted = "caisson_redactions_total{kind=\"secret\"}";
        var before = value(counted);
        var arguments = TestProduct.bash("echo $MY_PASSWORD; echo $MY_PASSWORD");
        arguments.putObject("env_vars").put("MY_PASSWORD", "correct-horse-battery");
        post("/v1/sandbox/execute", arguments);
        assertThat(value(counted)).isEqualTo(before + 2);
    }

    @Test
    void bytes_of_files_and_refused_paths_are_counted() throws Exception {
        var read = value("caisson_file_bytes_read_total");
        var written = value("caisson_file_bytes_written_total");
        bash("true");
        var store = post("/v1/files/upload", file("in.txt")).get("url").stringValue();
        var put =
                HttpRequest.newBuilder(URI.create(store))
                        .PUT(BodyPublishers.ofByteArray("x".repeat(1000).getBytes(UTF_8)))
                        .build();
        assertThat(http.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        assertThat(value("caisson_file_bytes_written_total")).isEqualTo(written + 1000);

        var fetch = post("/v1/files/download", file("in.txt")).get("url").stringValue();
        for (var range : new String[] {"bytes=0-", "bytes=0-99"}) {
            var get = HttpRequest.newBuilder(URI.create(fetch)).header("Range", range).build();
            assertThat(http.send(get, BodyHandlers.ofString()).statusCode()).isEqualTo(206);
        }
        // Who has the last byte has it a moment before it is counted.
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(value("caisson_file_bytes_read_total")).isEqualTo(read + 1100));

        var invalid = "caisson_refused_paths_total{kind=\"invalid\"}";
        var link = "caisson_refused_paths_total{kind=\"link\"}";
        var before = value(invalid);
        bash("ln -s /etc out");
        post("/v1/files/download", file("../etc/passwd"));
        post("/v1/files/delete", file("a//b"));
        assertThat(value(invalid)).isEqualTo(before + 2);
        var linked = value(link);
        post("/v1/files/download", file("out/passwd"));
        assertThat(value(link)).isEqualTo(linked + 1);
        post("/v1/files/download", file("not-there"));
        assertThat(value(link)).isEqualTo(linked + 1);
    }

    @Test
    void a_look_now_and_then_says_what_threads_hold() throws Exception {
        bash("mkdir -p d && head -c 1000000 /dev/zero > d/big");
        core.chores.stream()
                .filter(chore -> chore.name().contains("figures"))
                .findFirst()
                .orElseThrow()
                .work()
                .run();
        assertThat(value("caisson_workspace_bytes{kind=\"threads\"}")).isGreaterThan(1_000_000);
        assertThat(value("caisson_workspace_files{kind=\"threads\"}")).isGreaterThanOrEqualTo(2);
        assertThat(scrape()).contains("caisson_workspace_bytes{kind=\"volumes\"} 0.0");
    }

    @Test
    void a_key_that_repeats_itself_and_fails_is_seen() throws Exception {
        var repeated = "caisson_key_repetitions_total{key=\"local\"}";
        var before = value(repeated);
        for (var n = 0; n < 4; n++) {
            bash("exit 9");
        }
        assertThat(value(repeated)).isEqualTo(before + 2);
        assertThat(value("caisson_key_error_rate{key=\"local\"}")).isGreaterThan(0).isLessThan(1.1);
    }

    @Test
    void every_metric_is_documented_and_every_documented_one_is_there() {
        var there = new TreeSet<String>();
        for (var metric : core.metrics.registry().scrape()) {
            var name = metric.getMetadata().getPrometheusName();
            if (name.startsWith("caisson_")) {
                there.add(metric instanceof CounterSnapshot ? name + "_total" : name);
            }
        }
        var documented = new TreeSet<String>();
        Pattern.compile("(?m)^\\| `(caisson_[a-z_]+)` \\|")
                .matcher(Repository.text("docs/configuration.md"))
                .results()
                .forEach(match -> documented.add(match.group(1)));
        assertThat(there).hasSizeGreaterThan(25);
        assertThat(documented).isEqualTo(there);
    }
}
