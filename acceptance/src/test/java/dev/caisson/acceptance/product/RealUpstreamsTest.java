package dev.caisson.acceptance.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.acceptance.Json;
import dev.caisson.acceptance.product.Visitor.Era;
import dev.caisson.acceptance.product.Visitor.Job;
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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Real servers from npm are upstreams of the product: found, described, and called by models and
/// programs, over every transport and in both eras of the protocol.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealUpstreamsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final RealUpstreams upstreams = new RealUpstreams();

    private Path data;
    private Product product;

    RealUpstreamsTest() throws IOException {}

    /// A call that every client makes.
    ///
    /// @param words what a model might search for
    /// @param says part of the result
    record Sample(String module, String tool, String words, String arguments, String says) {
        private static Sample of(String module, String tool, String arguments, String says) {
            return new Sample(module, tool, tool.replace('_', ' '), arguments, says);
        }

        String name() {
            return module + "." + tool;
        }

        @Override
        public String toString() {
            return name();
        }
    }

    static List<Sample> samples() {
        var sum = "{\"a\": 20, \"b\": 22}";
        var thought =
                """
                {"thought": "one", "nextThoughtNeeded": false, "thoughtNumber": 1, "totalThoughts": 1}\
                """;
        return List.of(
                Sample.of("everything", "get_sum", sum, "42"),
                Sample.of("everything_http", "get_sum", sum, "42"),
                Sample.of("everything_sse", "get_sum", sum, "42"),
                Sample.of("filesystem", "list_allowed_directories", "{}", "/data"),
                Sample.of("memory", "read_graph", "{}", "entities"),
                new Sample(
                        "sequential_thinking",
                        "sequentialthinking",
                        "sequential thinking",
                        thought,
                        "thoughtHistoryLength"),
                Sample.of("modern", "shout_text", "{\"text\": \"hello\"}", "HELLO"),
                Sample.of("modern_http", "shout_text", "{\"text\": \"hello\"}", "HELLO"));
    }

    @BeforeAll
    void start(@TempDir Path directory) throws IOException {
        data = directory;
        product = Product.start(data, upstreams.options(data));
        var visitor = visitor();
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (var sample : samples()) {
                        assertThat(found(visitor, sample)).contains(sample.name());
                    }
                });
    }

    @AfterAll
    void stop() throws Exception {
        try (upstreams) {
            assertThat(product.stop()).isZero();
            assertThat(upstreams.alive("")).isEmpty();
        }
    }

    private Visitor visitor() {
        return new Visitor(product, Era.MODERN);
    }

    private static List<String> found(Visitor visitor, Sample sample) throws IOException {
        var query = Json.object().put("query", sample.words()).put("limit", 50);
        return visitor.call("tool_search", query.put("server", sample.module()))
                .path("structuredContent")
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("tool").asString())
                .toList();
    }

    private static JsonNode called(Visitor visitor, String tool, String arguments)
            throws IOException {
        var call = Json.object().put("tool", tool);
        call.set("arguments", Json.parse(arguments));
        return visitor.call("tool_call", call);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_tool_is_described_as_a_function(Sample sample) throws IOException {
        for (var format : List.of("python", "typescript", "schema")) {
            var wanted = Json.object().put("format", format);
            wanted.putArray("tools").add(sample.name());
            var described = visitor().call("tool_describe", wanted);
            assertThat(described.path("isError").asBoolean()).as(described.toString()).isFalse();
            assertThat(described.toString()).containsIgnoringCase(sample.tool().split("_", -1)[0]);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_tool_is_called_in_both_eras(Sample sample) throws IOException {
        for (var era : Era.values()) {
            var result = called(new Visitor(product, era), sample.name(), sample.arguments());
            assertThat(result.path("isError").asBoolean()).as(result.toString()).isFalse();
            assertThat(result.toString()).contains(sample.says());
        }
    }

    @ParameterizedTest
    @EnumSource
    void tools_are_listed_and_called_by_their_own_names(Era era) throws IOException {
        var visitor = new Visitor(product, era);
        assertThat(visitor.listed("up_everything"))
                .contains("everything__get_sum", "everything__echo")
                .hasSize(13);
        assertThat(visitor.listed("up_sequential_thinking"))
                .containsExactly("sequential_thinking__sequentialthinking");
        var sum = visitor.call("everything__get_sum", Json.object().put("a", 1).put("b", 2));
        assertThat(sum.toString()).contains("is 3");
    }

    /// A program that makes the call of every sample and prints what it gave, a line for each.
    private static String program(String language) {
        var program =
                new StringBuilder(
                        switch (language) {
                            case "python" -> "import caisson, json\n";
                            case "node" -> "import { servers } from 'caisson'\n";
                            default -> "set -e\n";
                        });
        for (var sample : samples()) {
            program.append(
                    switch (language) {
                        case "python" ->
                                "print(json.dumps(caisson.servers.%s(json.loads('%s'))))\n"
                                        .formatted(sample.name(), sample.arguments());
                        case "node" ->
                                "console.log(JSON.stringify(await servers.%s(%s)))\n"
                                        .formatted(sample.name(), sample.arguments());
                        default ->
                                "caisson-call %s %s '%s'\n"
                                        .formatted(
                                                sample.module(), sample.tool(), sample.arguments());
                    });
        }
        return program.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "node", "bash"})
    void a_program_calls_them_all(String language) throws IOException {
        var told = visitor().run(Job.of(language, program(language)));
        var lines = told.path("stdout").asString("").lines().toList();
        assertThat(lines).as(told.toString()).hasSameSizeAs(samples());
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).contains(samples().get(i).says());
        }
        assertThat(told.path("tools").path("calls").asInt()).isEqualTo(samples().size());
    }

    @Test
    void an_image_is_a_file_for_a_program_and_a_structure_is_data() throws IOException {
        var told =
                visitor()
                        .run(
                                Job.of(
                                        "python",
                                        """
                                        from caisson.servers import everything
                                        parts = everything.get_tiny_image()
                                        image = next(each for each in parts if isinstance(each, dict))
                                        with open(image["path"], "rb") as file:
                                            print(image["mime_type"], file.read(4))
                                        weather = everything.get_structured_content(location="Chicago")
                                        print(sorted(weather))
                                        print(everything.get_env()["GREETING"])
                                        """));
        assertThat(told.path("stdout").asString())
                .as(told.toString())
                .isEqualTo(
                        """
                        image/png b'\\x89PNG'
                        ['conditions', 'humidity', 'temperature']
                        from the operator
                        """);
    }

    @Test
    void a_failure_of_a_tool_is_the_programs_to_handle() throws IOException {
        var told =
                visitor()
                        .run(
                                Job.of(
                                        "python",
                                        """
                                        import caisson
                                        for name, arguments in [
                                            ("filesystem.read_text_file", {"path": "/data/absent"}),
                                            ("filesystem.read_text_file", {"path": "/etc/passwd"}),
                                            ("everything.get_sum", {"a": "no number"}),
                                            ("filesystem.move_file", {"source": "/data/a", "destination": "/data/b"}),
                                        ]:
                                            try:
                                                print(caisson.call(name, arguments))
                                            except caisson.ToolError as error:
                                                print(error.type)
                                        """));
        assertThat(told.path("stdout").asString())
                .as(told.toString())
                .isEqualTo("ToolFailed\nToolFailed\nInvalidArguments\nDenied\n");
    }

    @Test
    void what_they_keep_outlives_their_rest_and_the_server() throws Exception {
        var visitor = visitor();
        var ada =
                """
                {"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote"]}]}\
                """;
        assertThat(called(visitor, "memory.create_entities", ada).toString()).contains("Ada");
        var file = "{\"path\": \"/data/note\", \"content\": \"kept\"}";
        assertThat(called(visitor, "filesystem.write_file", file).toString()).contains("Success");
        assertThat(upstreams.alive("filesystem")).isNotEmpty();

        await().atMost(PATIENCE).until(() -> upstreams.alive("memory").isEmpty());
        assertThat(called(visitor, "memory.read_graph", "{}").toString()).contains("Ada");

        assertThat(product.stop()).isZero();
        assertThat(upstreams.alive("")).isEmpty();
        product = Product.again(data, product, upstreams.options(data));
        var again = visitor();
        assertThat(called(again, "memory.read_graph", "{}").toString()).contains("Ada");
        var note = "{\"path\": \"/data/note\"}";
        assertThat(called(again, "filesystem.read_text_file", note).toString()).contains("kept");
    }
}
