package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.judge.Judges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients other people wrote have programs run in every language, in both eras.
@Tag("root")
@Tag("browser")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LanguagesTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

    private final Judges judges = Judges.ready();
    private Product product;

    @BeforeAll
    void start(@TempDir Path data) throws IOException {
        product = Product.start(data);
    }

    @AfterAll
    void stop() {
        product.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    legacy | python     | print('sum', 1 + 2)
                    modern | python     | print('sum', 1 + 2)
                    legacy | node       | console.log('sum', 1 + 2)
                    modern | node       | console.log('sum', 1 + 2)
                    legacy | typescript | const n: number = 3; console.log('sum', n)
                    modern | typescript | const n: number = 3; console.log('sum', n)
                    legacy | bash       | echo sum $((1 + 2))
                    modern | bash       | echo sum $((1 + 2))
                    """)
    void the_inspector_runs_a_program(String era, String language, String code) {
        var arguments = Json.object().put("language", language).put("code", code);
        var ended =
                judges.packaged(
                        INSPECTOR,
                        List.of(
                                "--cli",
                                endpoint(),
                                "--protocol-era",
                                era,
                                "--format",
                                "json",
                                "--header",
                                "Authorization: Bearer " + product.key(),
                                "--method",
                                "tools/call",
                                "--tool-name",
                                "sandbox_execute",
                                "--tool-args-json",
                                arguments.toString()),
                        LIMIT);
        var answer = Json.parse(ended.expect(0).out().strip());
        var said = Json.told(answer.has("result") ? answer.path("result") : answer);
        assertThat(said.path("status").asString()).as(said.toString()).isEqualTo("success");
        assertThat(said.path("stdout").asString()).isEqualTo("sum 3\n");
        assertThat(said.path("language").asString()).isEqualTo(language);
    }

    @Test
    void the_typescript_sdk_v1_runs_a_program() {
        check("v1.mjs", List.of(endpoint(), product.key()));
    }

    @Test
    void the_typescript_sdk_v2_runs_a_program() {
        check("v2.mjs", List.of("modern", endpoint(), product.key()));
    }

    private void check(String script, List<String> arguments) {
        var said = Json.parse(judges.script(script, arguments, LIMIT).expect(0).out().strip());
        assertThat(said.path("sum").asDouble()).isEqualTo(3);
    }

    private String endpoint() {
        return "http://127.0.0.1:" + product.port() + "/mcp";
    }
}
