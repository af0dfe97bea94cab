package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What an upstream may try, through the whole product: over standard input and output and over
/// HTTP, called by models, over REST and by programs. Whoever calls gets an answer of its own or a
/// type of failure, in bounded time, and the next call is served.
@Tag("root")
@Tag("slow")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileUpstreamProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Far above the limit of any call here, far below what a caller would wait.
    private static final Duration BOUND = Duration.ofSeconds(20);

    private static final String TOKEN = "correct-horse-battery-staple";
    private static final String RESULT_MAX = "1MiB";
    private static final long HEAP_GROWTH_MAX = 64L << 20;

    /// How it is reached.
    enum Way {
        STDIO,
        HTTP;

        String module() {
            return "hostile_" + name().toLowerCase(Locale.ROOT);
        }

        String id() {
            return "hostile-" + name().toLowerCase(Locale.ROOT);
        }
    }

    /// Who calls.
    enum Caller {
        MODERN,
        LEGACY,
        REST,
        PROGRAM
    }

    /// What a call of a tool gives: `ok` and its text, or the type of a failure.
    record Scenario(String tool, String arguments, String gives) {
        static Scenario of(String tool, String gives) {
            return new Scenario(tool, "{}", gives);
        }
    }

    private static List<Scenario> everywhere() {
        var explosive = "{\"text\": \"" + "a".repeat(60) + "!\"}";
        return List.of(
                Scenario.of("behaves", "ok fine"),
                Scenario.of("gives_back", "ok {"),
                Scenario.of("sandbox_execute", "ok fine"),
                Scenario.of("floods", "TooLarge"),
                Scenario.of("never_ends", "TooLarge"),
                Scenario.of("nests", "ToolFailed"),
                Scenario.of("keeps_alive", "Timeout"),
                Scenario.of("is_silent", "Timeout"),
                Scenario.of("trickles", "Timeout"),
                Scenario.of("answers_others", "ok own"),
                Scenario.of("asks", "ok own"),
                Scenario.of("wants_input", "InputRequired"),
                Scenario.of("imitates", "ok \n\nevent: message"),
                Scenario.of("links", "ok "),
                Scenario.of("half", "ToolFailed"),
                Scenario.of("doubles", "ToolFailed"),
                Scenario.of("no_number", "ToolFailed"),
                Scenario.of("no_text", "ToolFailed"),
                Scenario.of("fails", "ToolFailed"),
                Scenario.of("changes", "Denied"),
                new Scenario("explodes", explosive, ""));
    }

    private static List<Scenario> overHttp() {
        return List.of(
                Scenario.of("redirects", "UpstreamUnavailable"),
                Scenario.of("points", "AuthorizationRequired"),
                Scenario.of("is_html", "ToolFailed"),
                Scenario.of("has_a_huge_header", "UpstreamUnavailable"),
                Scenario.of("breaks_chunks", "UpstreamUnavailable"),
                Scenario.of("sets_cookies", "ok fine"));
    }

    private static List<Scenario> overStdio() {
        return List.of(
                Scenario.of("dies", "UpstreamUnavailable"),
                Scenario.of("fills_errors", "ok filled"),
                Scenario.of("fills_data", "ok stopped: "));
    }

    static Stream<Arguments> scenarios() {
        var all = new ArrayList<Arguments>();
        for (var way : Way.values()) {
            var own = way == Way.HTTP ? overHttp() : overStdio();
            Stream.concat(everywhere().stream(), own.stream())
                    .forEach(scenario -> all.add(Arguments.of(way, scenario)));
        }
        return all.stream();
    }

    private final List<String> strays = new CopyOnWriteArrayList<>();
    private LogCapture log;
    private TestProduct product;
    private Process remote;
    private Path shown;

    @BeforeAll
    void start(
            @TempDir Path directory,
            @TempDir(factory = UpstreamProductTest.OutsideTmp.class) Path outside)
            throws Exception {
        shown = outside;
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        var script = shown.resolve("hostile-server.py");
        try (var source =
                HostileUpstreamProductTest.class.getResourceAsStream("hostile-server.py")) {
            assertThat(source).isNotNull();
            Files.copy(source, script);
        }
        var file = directory.resolve("upstreams.yaml");
        remote = new ProcessBuilder("python3", script.toString(), "http").start();
        Files.writeString(file, entries(script, port(remote)));
        log = new LogCapture();
        product =
                new TestProduct(
                        directory,
                        "upstreams.file=" + file,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "mcp.listing=all");
        var set =
                product.request("/v1/secrets/token")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(Json.text(Json.object().put("value", TOKEN))));
        assertThat(product.send(set).statusCode()).isEqualTo(200);
        for (var way : Way.values()) {
            post("/v1/upstreams/" + way.id() + "/restart");
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    for (var way : Way.values()) {
                        assertThat(said(Caller.REST, way, Scenario.of("behaves", "")))
                                .isEqualTo("ok fine");
                    }
                });
    }

    /// The first line that the server with an address prints; the others are requests that came
    /// where none should.
    private int port(Process server) throws IOException {
        var out = server.inputReader(StandardCharsets.UTF_8);
        var port = Integer.parseInt(out.readLine());
        Thread.ofVirtual().start(() -> out.lines().forEach(strays::add));
        return port;
    }

    private String entries(Path script, int port) {
        var limits =
                """
                  trust: trusted
                  limits: {result_bytes: %s, call: 15s}
                  calls: {keeps_alive: {timeout: 1s}, is_silent: {timeout: 1s}, trickles: {timeout: 1s}}
                """
                        .formatted(RESULT_MAX);
        return """
        hostile-stdio:
          command: [python3, %s, stdio]
          show: [%s]
          env: {TOKEN: "${secret:token}"}
          memory_bytes: 128MiB
        %shostile-http:
          url: http://127.0.0.1:%d/mcp
          credentials: {kind: header, headers: {Authorization: "Bearer ${secret:token}"}}
        %s\
        """
                .formatted(script, shown, limits, port, limits);
    }

    @AfterAll
    void stop() throws Exception {
        try (var _ = log;
                var _ = (AutoCloseable) remote::destroyForcibly) {
            product.close();
            assertThat(log.text()).doesNotContain(TOKEN);
        }
        assertThat(UpstreamProductTest.alive("hostile-daemon")).isEmpty();
        assertThat(UpstreamProductTest.alive(shown + "/hostile-server.py stdio")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void every_caller_gets_its_own_answer_or_a_type(Way way, Scenario scenario) throws Exception {
        for (var caller : Caller.values()) {
            var began = System.nanoTime();
            var said = said(caller, way, scenario);
            assertThat(said).as("%s", caller).startsWith(scenario.gives()).doesNotContain(TOKEN);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(BOUND);
            if (scenario.tool().equals("dies")) {
                // Who dies often is left alone until somebody says otherwise.
                post("/v1/upstreams/" + way.id() + "/restart");
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(said(Caller.REST, way, Scenario.of("behaves", "")))
                                    .isEqualTo("ok fine"));
        }
        assertThat(strays).as("requests where a link or a redirect pointed").isEmpty();
    }

    private String said(Caller caller, Way way, Scenario scenario) throws Exception {
        var arguments = (ObjectNode) Json.parse(scenario.arguments());
        return switch (caller) {
            case MODERN -> overMcp(true, way, scenario.tool(), arguments);
            case LEGACY -> overMcp(false, way, scenario.tool(), arguments);
            case REST -> overRest(way, scenario.tool(), arguments);
            case PROGRAM -> fromInside(way, scenario.tool(), arguments);
        };
    }

    private void post(String path) throws Exception {
        product.send(TestProduct.post(product.request(path), Json.object()));
    }

    private JsonNode mcp(boolean modern, String tool, ObjectNode arguments) throws Exception {
        var params = McpMessages.tool(tool, arguments);
        var to = product.request("/mcp");
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        return McpMessages.response(product.send(request).body()).path("result");
    }

    private String overMcp(boolean modern, Way way, String tool, ObjectNode arguments)
            throws Exception {
        var call = Json.object().put("tool", way.module() + "." + tool);
        call.set("arguments", arguments);
        var result = mcp(modern, "tool_call", call);
        if (result.path("isError").asBoolean(false)) {
            // What a tool says of its failure goes through as it is.
            return result.at("/structuredContent/error").asString("ToolFailed");
        }
        return "ok " + result.at("/content/0/text").asString(result.toString());
    }

    private String overRest(Way way, String tool, ObjectNode arguments) throws Exception {
        var path = "/v1/tools/%s/%s/call".formatted(way.id(), tool);
        var body = Json.object();
        body.set("arguments", arguments);
        var answer = Json.parse(product.send(TestProduct.post(product.request(path), body)).body());
        return answer.path("ok").asBoolean(false)
                ? "ok " + answer.path("data").asString(answer.path("data").toString())
                : answer.at("/error/type")
                        .asString(answer.path("error").asString(answer.toString()));
    }

    private String fromInside(Way way, String tool, ObjectNode arguments) throws Exception {
        var program =
                """
                import caisson, json
                try:
                    data = caisson.call("%s.%s", json.loads('%s'))
                    print("ok", data if isinstance(data, str) else json.dumps(data), end="")
                except caisson.ToolError as error:
                    print(error.type, end="")
                """
                        .formatted(way.module(), tool, Json.text(arguments));
        var run = Json.object().put("language", "python").put("code", program);
        var answer = Json.parse(product.send(product.execute(run)).body());
        return answer.path("stdout").asString(answer.toString());
    }

    @ParameterizedTest
    @EnumSource
    void only_sound_definitions_are_found_and_their_text_is_clean(Way way) throws Exception {
        var listed = product.get("/v1/upstreams/" + way.id() + "/tools").toString();
        assertThat(listed).contains("fetches", "no_schema");
        for (var tool : List.of("fetches", "reads", "no_schema")) {
            assertThat(said(Caller.REST, way, Scenario.of(tool, ""))).isEqualTo("UnknownTool");
        }
        var names = product.get("/v1/tools?server=" + way.module() + "&limit=200").toString();
        assertThat(names)
                .contains("behaves")
                .doesNotContain("passwd", "\u0455andbox", "na\u200bme", "x".repeat(129));
        for (var format : List.of("python", "typescript", "schema")) {
            var wanted = Json.object().put("format", format);
            wanted.putArray("tools").add(way.module() + ".hidden");
            var described = mcp(true, "tool_describe", wanted).toString();
            assertThat(described)
                    .contains("Harmless.")
                    .doesNotContain("\u200b", "\u202e", "\u001b", "x".repeat(3_000));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_definition_that_changes_waits_for_review(Way way) throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    post("/v1/upstreams/" + way.id() + "/refresh");
                    for (var caller : Caller.values()) {
                        assertThat(said(caller, way, Scenario.of("morphs", "")))
                                .isEqualTo("UnderReview");
                    }
                });
        assertThat(log.text()).contains("morphs");
    }

    @Test
    void our_own_tools_stay_ours() throws Exception {
        var run = mcp(true, "sandbox_execute", TestProduct.bash("echo $((6 * 7))"));
        assertThat(run.toString()).contains("42").doesNotContain("fine");
    }

    @Test
    void a_process_sees_no_other_upstream_and_no_network() throws Exception {
        var seen = said(Caller.REST, Way.STDIO, Scenario.of("looks_around", ""));
        var places = Json.parse(seen.substring("ok ".length()));
        assertThat(places.path("/data")).isEmpty();
        assertThat(places.path("/opt").toString()).doesNotContain("hostile-server");
        assertThat(places.path("network").asString()).isNotEqualTo("open");
        assertThat(
                        places.path("/proc")
                                .valueStream()
                                .filter(each -> each.asString("").matches("\\d+")))
                .hasSizeLessThan(10);
    }

    @Test
    void what_a_process_leaves_behind_ends_with_it() throws Exception {
        assertThat(said(Caller.REST, Way.STDIO, Scenario.of("forks", ""))).isEqualTo("ok forked");
        assertThat(UpstreamProductTest.alive("hostile-daemon")).isNotEmpty();
        post("/v1/upstreams/hostile-stdio/restart");
        await().atMost(PATIENCE).until(() -> UpstreamProductTest.alive("hostile-daemon").isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void answers_above_the_limit_leave_memory_flat(Way way) throws Exception {
        said(Caller.REST, way, Scenario.of("never_ends", ""));
        long before = usedHeap();
        for (int i = 0; i < 10; i++) {
            assertThat(said(Caller.REST, way, Scenario.of("never_ends", ""))).isEqualTo("TooLarge");
        }
        assertThat(usedHeap() - before).isLessThan(HEAP_GROWTH_MAX);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void what_is_kept_of_calls_has_no_secret() throws Exception {
        for (var way : Way.values()) {
            for (var caller : Caller.values()) {
                said(caller, way, Scenario.of("gives_back", ""));
            }
        }
        for (var page : List.of("/v1/ledger?limit=200", "/v1/executions?limit=200", "/metrics")) {
            var text = product.send(product.request(page)).body();
            assertThat(text).as(page).isNotBlank().doesNotContain(TOKEN);
        }
    }
}
