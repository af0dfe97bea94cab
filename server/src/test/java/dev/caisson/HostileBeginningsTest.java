package dev.caisson;

import static dev.caisson.HostileServers.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.HostileServers.Way;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Upstreams that are hostile before the first call: each is in the state that an operator expects,
/// with a reason in our words, without a secret or control of a terminal, and none of its tools can
/// be called. All of them are there at once, beside one that behaves.
@Tag("root")
@Tag("slow")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileBeginningsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int REASON_LENGTH_MAX = 5_000;

    private static final String LIMITS = "  limits: {start: 5s, list: 2s, result_bytes: 1MiB}\n";

    /// What a part ends in.
    ///
    /// @param ready whether there is a connection all the same
    /// @param reason part of the last error
    record Part(String name, boolean ready, String reason) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Part> PARTS =
            List.of(
                    new Part("refuses_to_begin", false, "does not begin a connection: "),
                    new Part("begins_never", false, "in time"),
                    new Part("begins_in_noise", false, ""),
                    new Part("begins_at_length", false, "longer than"),
                    new Part("begins_tomorrow", false, "no revision of the protocol"),
                    new Part("goes_at_once", false, ""),
                    new Part("lists_pages", true, "more than 100 pages"),
                    new Part("lists_in_circles", true, "the same cursor twice"),
                    new Part("lists_at_length", true, ""),
                    new Part("lists_many", true, "more than 2,000 tools"),
                    new Part("lists_by_halves", true, "no message of the protocol"),
                    new Part("lists_nonsense", true, "a list of tools that is none"),
                    new Part("lists_no_text", true, "no message of the protocol"),
                    new Part("lists_deep", true, "no message of the protocol"),
                    new Part("lists_never", true, "in time"),
                    new Part("goes_when_asked", true, ""));

    static Stream<Arguments> parts() {
        return ways().flatMap(way -> PARTS.stream().map(part -> Arguments.of(way, part)));
    }

    private static Stream<Way> ways() {
        return Stream.of(Way.STDIO, Way.HTTP);
    }

    private static String id(Way way, String part) {
        return (way + "-" + part).toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private HostileServers servers;
    private LogCapture log;
    private TestProduct product;
    private SteadyNeighbour neighbour;

    @BeforeAll
    void start(
            @TempDir Path directory,
            @TempDir(factory = UpstreamProductTest.OutsideTmp.class) Path shown)
            throws Exception {
        servers = new HostileServers(shown);
        log = new LogCapture();
        var entries = new StringBuilder(servers.neighbour());
        ways().forEach(way -> {
            for (var part : PARTS) {
                entries.append(servers.entry(id(way, part.name()), way, part.name(), LIMITS));
            }
            for (var part : List.of("lists_secrets", "cries")) {
                entries.append(servers.entry(id(way, part), way, part, "  review: auto\n"));
            }
        });
        product = servers.product(directory, entries.toString());
        for (var each : upstreams()) {
            restart(each.path("id").asString());
        }
        await().atMost(PATIENCE)
                .until(() ->
                        UpstreamCaller.REST
                                .call(product, product.key, "steady", "forecast", Json.object())
                                .gist()
                                .startsWith("ok rain"));
        neighbour = new SteadyNeighbour(product);
    }

    @AfterAll
    void stop() throws Exception {
        try (var _ = log;
                var _ = servers) {
            neighbour.close();
            product.close();
            assertThat(log.text()).doesNotContain(TOKEN).doesNotContain("\u202e", "\u200b");
        }
        assertThat(UpstreamProductTest.alive(servers.command())).isEmpty();
    }

    private List<JsonNode> upstreams() throws Exception {
        return product.get("/v1/upstreams").path("upstreams").valueStream().toList();
    }

    private void restart(String id) throws Exception {
        var path = "/v1/upstreams/" + id + "/restart";
        product.send(TestProduct.post(product.request(path), Json.object()));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void an_operator_reads_what_is_wrong(Way way, Part part) throws Exception {
        var id = id(way, part.name());
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    var seen = product.get("/v1/upstreams/" + id);
                    var reason = seen.path("last_error").asString("");
                    assertThat(reason).as(seen.toString()).contains(part.reason());
                    assertThat(reason).isNotEmpty().doesNotContain("secret token");
                    assertThat(seen.path("remedy").asString("")).contains("last error");
                    assertThat(seen.toString())
                            .hasSizeLessThan(REASON_LENGTH_MAX)
                            .doesNotContain(TOKEN, "\\u001b", "\u001b", "\u202e", "\u200b")
                            .doesNotContain("dev.caisson.", "server.py:");
                    if (!part.ready()) {
                        assertThat(seen.path("state").asString())
                                .isIn("backing_off", "broken", "starting");
                    }
                });
        for (var caller : List.of(UpstreamCaller.MODERN, UpstreamCaller.REST)) {
            var told = caller.call(product, product.key, id, "behaves", Json.object());
            assertThat(told.gist()).isEqualTo("UnknownTool");
        }
        assertThat(product.get("/v1/tools?server=" + id).path("tools")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"STDIO", "HTTP"})
    void a_definition_has_no_secret_and_a_name_stands_once(Way way) throws Exception {
        var id = id(way, "lists_secrets");
        await().atMost(PATIENCE)
                .until(() ->
                        product.get("/v1/upstreams/" + id)
                                .path("state")
                                .asString("")
                                .equals("ready"));
        await().atMost(PATIENCE)
                .until(() ->
                        product.get("/v1/upstreams/" + id + "/tools").toString().contains("tells"));
        var described = Json.object().put("format", "schema");
        described.putArray("tools").add(id.replace('-', '_') + ".tells");
        for (var text :
                List.of(
                        product.get("/v1/upstreams/" + id + "/tools").toString(),
                        product.get("/v1/tools?server=" + id).toString(),
                        UpstreamCaller.mcp(product, product.key, true, "tool_describe", described)
                                .toString())) {
            assertThat(text).contains("tells").doesNotContain(TOKEN);
        }
        var twin = UpstreamCaller.REST.call(product, product.key, id, "twin", Json.object()).gist();
        assertThat(twin).isEqualTo("UnknownTool");
        assertThat(product.get("/v1/upstreams/" + id + "/tools").toString())
                .contains("stands in the list twice");
    }

    @ParameterizedTest
    @EnumSource(names = {"STDIO", "HTTP"})
    void cries_of_changes_delay_no_call(Way way) throws Exception {
        var id = id(way, "cries");
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(
                                        UpstreamCaller.REST
                                                .call(
                                                        product,
                                                        product.key,
                                                        id,
                                                        "behaves",
                                                        Json.object())
                                                .gist())
                                .isEqualTo("ok fine"));
    }
}
