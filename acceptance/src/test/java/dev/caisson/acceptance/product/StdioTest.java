package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.judge.Repository;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `caisson stdio` as a client starts it: through the launcher, with nothing but lines between
/// them.
final class StdioTest {
    private static final int LINE_BYTES_MAX = 16 << 20;

    private static final String META =
            """
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}\
            """;

    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\
            """;

    private Process process;
    private BufferedWriter to;
    private BufferedReader from;

    @BeforeEach
    void start(@TempDir Path data) throws IOException {
        var launcher = Repository.root().resolve("caisson").toString();
        var builder =
                new ProcessBuilder(
                        launcher,
                        "stdio",
                        "--config",
                        "/dev/null",
                        "--set",
                        "environments.bake=false",
                        "--data",
                        data.toString());
        builder.redirectError(data.resolve("log").toFile());
        process = builder.start();
        to = process.outputWriter(StandardCharsets.UTF_8);
        from = process.inputReader(StandardCharsets.UTF_8);
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    @Test
    void both_eras_share_a_process_whose_lines_never_mix() throws Exception {
        say(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{"
                        + META
                        + "}}");
        assertThat(answer().path("result").path("supportedVersions").toString())
                .contains("2026-07-28");
        say(INITIALIZE);
        assertThat(answer().path("result").path("protocolVersion").asString())
                .isEqualTo("2025-11-25");
        say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        int quick = 20;
        say(call(100, "sleep 1; seq 2000", ""));
        say(call(101, "sleep 1; seq 2000 | tr 1 x", "," + META));
        for (int id = 0; id < quick; id++) {
            say("{\"jsonrpc\":\"2.0\",\"id\":" + (200 + id) + ",\"method\":\"ping\"}");
        }
        assertThat(ids(quick + 2)).endsWith(100, 101).hasSize(quick + 2);

        say("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"," + "x".repeat(LINE_BYTES_MAX));
        assertThat(answer().path("error").path("code").asInt()).isIn(-32700, -32600);
        say("not JSON at all");
        assertThat(answer().path("error").path("code").asInt()).isEqualTo(-32700);
        say("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}");
        assertThat(answer().path("id").asInt()).isEqualTo(4);

        to.close();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended with its input").isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(from.readLine()).isNull();
    }

    private static String call(int id, String code, String meta) {
        return """
        {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"sandbox_execute",\
        "arguments":{"language":"bash","code":"%s"}%s}}\
        """
                .formatted(id, code, meta);
    }

    private void say(String line) throws IOException {
        to.append(line).append('\n').flush();
    }

    /// The ids of the next answers, in the order they came, those of runs sorted last.
    private List<Integer> ids(int count) throws IOException {
        var ids = new ArrayList<Integer>();
        var runs = new ArrayList<Integer>();
        while (ids.size() + runs.size() < count) {
            var answer = answer();
            int id = answer.path("id").asInt();
            (id < 200 ? runs : ids).add(id);
        }
        runs.sort(null);
        ids.addAll(runs);
        return ids;
    }

    /// The next answer; every line must be one whole message.
    private JsonNode answer() throws IOException {
        while (true) {
            var line = from.readLine();
            if (line == null) {
                throw new IOException("it ended instead of answering");
            }
            var message = Json.parse(line);
            assertThat(message.path("jsonrpc").asString()).isEqualTo("2.0");
            if (!message.has("method")) {
                return message;
            }
        }
    }
}
