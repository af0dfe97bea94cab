package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.config.Mistakes;
import dev.caisson.json.Json;
import dev.caisson.redact.RedactionRules;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// What the operator can switch: personal data on, and what is known by its form off, tool by tool.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedactionSwitchTest {
    private static final String TOKEN = "ghp_" + "a".repeat(36);
    private static final String SHOWN =
            "anna@example.org +49 30 1234567 4111111111111111 DE89370400440532013000 " + TOKEN;
    private static final String CLEAN =
            "[REDACTED:mail] [REDACTED:phone] [REDACTED:card] [REDACTED:iban]"
                    + " [REDACTED:github-pat]";

    private TestProduct product;
    private TestProduct usual;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        product =
                new TestProduct(
                        directory.resolve("a"),
                        "redact.personal_data=true",
                        "redact.patterns_off=run_code");
        usual = new TestProduct(directory.resolve("b"));
    }

    @AfterAll
    void stop() {
        product.close();
        usual.close();
    }

    private static String tool(TestProduct server, String name, ObjectNode arguments)
            throws Exception {
        var body = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        body.putObject("params").put("name", name).set("arguments", arguments);
        return server.send(
                        TestProduct.post(server.request("/mcp"), body)
                                .header("Accept", "application/json, text/event-stream"))
                .body();
    }

    private static String written(TestProduct server) throws Exception {
        var code = bash("echo '" + SHOWN + "' | tee left.txt").put("thread_id", "t");
        var answer = Json.parse(server.send(server.execute(code)).body());
        return answer.path("stdout").stringValue().strip();
    }

    private static ObjectNode left() {
        return Json.object().put("source", "thread").put("id", "t").put("path", "left.txt");
    }

    private static ObjectNode reading() {
        return Json.object()
                .put("conversationId", "t")
                .put("language", "bash")
                .put("code", "cat left.txt");
    }

    @Test
    void personal_data_goes_when_the_operator_wants_it_and_a_tool_can_be_spared() throws Exception {
        assertThat(written(product)).isEqualTo(CLEAN);
        assertThat(tool(product, "files_download", left()))
                .contains(CLEAN)
                .contains("\"redactions\":5");
        assertThat(tool(product, "run_code", reading())).contains(SHOWN);
    }

    @Test
    void usually_personal_data_stays_and_files_are_read_as_they_are() throws Exception {
        assertThat(written(usual)).isEqualTo(SHOWN.replace(TOKEN, "[REDACTED:github-pat]"));
        assertThat(tool(usual, "files_download", left()))
                .contains(SHOWN)
                .contains("\"redactions\":0");
        assertThat(tool(usual, "run_code", reading())).contains("[REDACTED:github-pat]");
    }

    /// Bytes are handed out as they are: a link, an archive, an image.
    @Test
    void a_download_of_bytes_is_the_file_itself() throws Exception {
        written(product);
        var link =
                Json.parse(
                        product.send(
                                        TestProduct.post(
                                                product.request("/v1/files/download"), left()))
                                .body());
        var path = link.path("url").stringValue().replaceFirst("^https?://[^/]+", "");

        assertThat(product.send(product.open(path)).body()).isEqualTo(SHOWN + "\n");
    }

    @Test
    void every_tool_there_is_can_be_switched_and_no_other(@TempDir Path directory)
            throws Exception {
        var list = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/list");
        var answer = usual.send(TestProduct.post(usual.request("/mcp"), list)).body();
        var names =
                Json.parse(answer)
                        .path("result")
                        .path("tools")
                        .valueStream()
                        .map(tool -> tool.path("name").stringValue())
                        .toList();
        assertThat(names).hasSizeGreaterThan(8);
        try (var all =
                new TestProduct(
                        directory,
                        "redact.patterns_off="
                                + String.join(",", names)
                                + ","
                                + RedactionRules.RESOURCES_READ)) {
            assertThat(all.config.running().profile().redaction().exactOnly())
                    .hasSize(names.size() + 1);
        }
        assertThatThrownBy(() -> new TestProduct(directory, "redact.patterns_off=no_such_tool"))
                .isInstanceOf(Mistakes.class);
    }
}
