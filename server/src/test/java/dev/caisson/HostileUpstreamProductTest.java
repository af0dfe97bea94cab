package dev.caisson;

import static dev.caisson.HostileServers.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.HostileServers.Way;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
import tools.jackson.databind.node.ObjectNode;

/// What an upstream may try, through the whole product: over each transport, called by models, over
/// REST and by programs. Whoever calls gets an answer of its own or a type of failure in bounded
/// time, which has no secret and no control of a terminal; the next call is served, and callers of
/// another upstream notice nothing.
@Tag("root")
@Tag("slow")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileUpstreamProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Far above the limit of any call here, far below what a caller would wait.
    private static final Duration BOUND = Duration.ofSeconds(20);

    private static final long HEAP_GROWTH_MAX = 64L << 20;

    /// What a failure takes at the most, with all that stands around it.
    private static final int FAILURE_LENGTH_MAX = 64 << 10;

    private static final String LIMITS =
            """
              limits: {result_bytes: 1MiB, call: 15s}
              calls: {keeps_alive: {timeout: 1s}, is_silent: {timeout: 1s}, trickles: {timeout: 1s}}
            """;

    /// What a call of a tool gives: `ok` and its text, or the type of a failure.
    record Scenario(String tool, String arguments, String gives) {
        static Scenario of(String tool, String gives) {
            return new Scenario(tool, "{}", gives);
        }

        /// Whether its calls can be made at the same time: none harms the connection of another.
        boolean together() {
            return gives.equals("Timeout");
        }

        @Override
        public String toString() {
            return tool;
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
                Scenario.of("asks_on_and_on", "ok own"),
                Scenario.of("wants_input", "InputRequired"),
                Scenario.of("imitates", "ok \n\nevent: message"),
                Scenario.of("links", "ok "),
                Scenario.of("counts_high", "ToolFailed"),
                Scenario.of("counts_higher", "ok {"),
                Scenario.of("half", "ToolFailed"),
                Scenario.of("doubles", "ToolFailed"),
                Scenario.of("no_number", "ToolFailed"),
                Scenario.of("no_text", "ToolFailed"),
                Scenario.of("fails", "ToolFailed"),
                Scenario.of("refuses", "ToolFailed"),
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
                // All that comes over the stream of an answer counts into it.
                Scenario.of("floods_progress", "TooLarge"),
                Scenario.of("sets_cookies", "ok fine"));
    }

    private static List<Scenario> overStdio() {
        return List.of(
                Scenario.of("floods_progress", "ok own"),
                Scenario.of("dies", "UpstreamUnavailable"),
                Scenario.of("fills_errors", "ok filled"),
                Scenario.of("fills_data", "ok stopped: "));
    }

    static Stream<Arguments> scenarios() {
        var all = new ArrayList<Arguments>();
        for (var way : Way.values()) {
            var own =
                    switch (way) {
                        case STDIO -> overStdio();
                        case HTTP, MODERN -> overHttp();
                        case SSE -> List.of(Scenario.of("floods_progress", "ok own"));
                    };
            Stream.concat(everywhere().stream(), own.stream())
                    .forEach(scenario -> all.add(Arguments.of(way, scenario)));
        }
        return all.stream();
    }

    /// Every door meets both kinds of upstreams, in one era of clients and one language of programs
    /// each; how else an upstream is reached makes no difference to a door.
    private static List<UpstreamCaller> callers(Way way, Scenario scenario) {
        if (scenario.tool().equals("fills_data")) {
            return List.of(UpstreamCaller.REST);
        }
        return switch (way) {
            case STDIO -> List.of(UpstreamCaller.LEGACY, UpstreamCaller.REST, UpstreamCaller.NODE);
            case HTTP -> List.of(UpstreamCaller.MODERN, UpstreamCaller.REST, UpstreamCaller.PYTHON);
            case MODERN, SSE -> List.of(UpstreamCaller.REST);
        };
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
        for (var way : Way.values()) {
            entries.append(servers.entry(way, LIMITS));
        }
        product = servers.product(directory, entries.toString());
        for (var way : Way.values()) {
            post("/v1/upstreams/" + way.id() + "/restart");
        }
        for (var way : Way.values()) {
            awaitServed(way);
        }
        neighbour = new SteadyNeighbour(product);
    }

    @AfterAll
    void stop() throws Exception {
        try (var _ = log;
                var _ = servers) {
            neighbour.close();
            product.close();
            assertThat(log.text()).doesNotContain(TOKEN);
            assertThat(servers.strays()).as("requests where a link or a redirect led").isEmpty();
        }
        assertThat(UpstreamProductTest.alive("hostile-daemon")).isEmpty();
        assertThat(UpstreamProductTest.alive(servers.command())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void every_caller_gets_its_own_answer_or_a_type(Way way, Scenario scenario) throws Exception {
        var began = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Future<UpstreamCaller.Told>>();
            for (var caller : callers(way, scenario)) {
                Callable<UpstreamCaller.Told> call = () -> told(caller, way, scenario);
                calls.add(threads.submit(call));
                if (!scenario.together()) {
                    assertTold(calls.getLast(), scenario, caller);
                    revive(way, scenario);
                }
            }
            for (var call : calls) {
                assertTold(call, scenario, scenario);
            }
            awaitServed(way);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isLessThan(BOUND.multipliedBy(callers(way, scenario).size()));
    }

    private static void assertTold(Future<UpstreamCaller.Told> call, Scenario scenario, Object who)
            throws Exception {
        var told = call.get();
        assertThat(told.gist()).as("%s: %s", who, cut(told.whole())).startsWith(scenario.gives());
        assertThat(told.whole()).as("%s", who).doesNotContain(TOKEN);
        if (told.failed()) {
            assertThat(told.whole())
                    .as("%s", who)
                    .hasSizeLessThan(FAILURE_LENGTH_MAX)
                    .doesNotContain("\\u001b", "\u001b", "\u202e", "\u200b", "\\u202e")
                    .doesNotContain("dev.caisson.", "tools.jackson", "Traceback", "server.py");
        }
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), 2_000));
    }

    /// Who dies often is left alone until somebody says otherwise.
    private void revive(Way way, Scenario scenario) throws Exception {
        if (scenario.tool().equals("dies")) {
            post("/v1/upstreams/" + way.id() + "/restart");
        }
        if (scenario.gives().startsWith("ok")) {
            return;
        }
        awaitServed(way);
    }

    private void awaitServed(Way way) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> {
                    assertThat(said(UpstreamCaller.REST, way, "behaves")).isEqualTo("ok fine");
                    assertThat(product.get("/v1/upstreams/" + way.id()).path("state").asString())
                            .isEqualTo("ready");
                });
    }

    private UpstreamCaller.Told told(UpstreamCaller caller, Way way, Scenario scenario)
            throws Exception {
        var arguments = (ObjectNode) Json.parse(scenario.arguments());
        return caller.call(product, product.key, way.id(), scenario.tool(), arguments);
    }

    private String said(UpstreamCaller caller, Way way, String tool) throws Exception {
        return told(caller, way, Scenario.of(tool, "")).gist();
    }

    private void post(String path) throws Exception {
        product.send(TestProduct.post(product.request(path), Json.object()));
    }

    @ParameterizedTest
    @EnumSource
    void only_sound_definitions_are_found_and_their_text_is_clean(Way way) throws Exception {
        var listed = product.get("/v1/upstreams/" + way.id() + "/tools").toString();
        assertThat(listed).contains("fetches", "no_schema");
        for (var tool : List.of("fetches", "reads", "no_schema")) {
            assertThat(said(UpstreamCaller.REST, way, tool)).isEqualTo("UnknownTool");
        }
        var names = product.get("/v1/tools?server=" + way.module() + "&limit=200").toString();
        assertThat(names)
                .contains("behaves")
                .doesNotContain("passwd", "\u0455andbox", "na\u200bme", "x".repeat(129));
        for (var format : List.of("python", "typescript", "schema")) {
            var wanted = Json.object().put("format", format);
            wanted.putArray("tools").add(way.module() + ".hidden");
            var described =
                    UpstreamCaller.mcp(product, product.key, true, "tool_describe", wanted)
                            .toString();
            assertThat(described)
                    .contains("Harmless.")
                    .doesNotContain("\u200b", "\u202e", "\u001b", "x".repeat(3_000));
        }
    }

    @ParameterizedTest
    @EnumSource
    void names_of_a_language_s_own_are_tools_like_others(Way way) throws Exception {
        for (var caller : Set.of(UpstreamCaller.NODE, UpstreamCaller.PYTHON, UpstreamCaller.REST)) {
            assertThat(said(caller, way, "constructor")).isEqualTo("ok fine");
        }
        var program =
                Json.object()
                        .put("language", "node")
                        .put(
                                "code",
                                """
                                import { servers } from 'caisson'
                                const own = servers.%s
                                console.log(await own.constructor())
                                console.log({}.polluted, typeof ({}).toString)
                                """
                                        .formatted(way.module()));
        var run = Json.parse(product.send(product.execute(program)).body());
        assertThat(run.path("stdout").asString(""))
                .as(run.toString())
                .isEqualTo("fine\nundefined function\n");
    }

    @ParameterizedTest
    @EnumSource
    void a_definition_that_changes_waits_for_review(Way way) throws Exception {
        await().atMost(PATIENCE)
                .untilAsserted(() -> {
                    post("/v1/upstreams/" + way.id() + "/refresh");
                    for (var caller : callers(way, Scenario.of("morphs", ""))) {
                        assertThat(said(caller, way, "morphs")).isEqualTo("UnderReview");
                    }
                });
        assertThat(log.text()).contains("morphs");
    }

    @ParameterizedTest
    @EnumSource
    void a_caller_with_many_calls_takes_no_turn_of_another(Way way) throws Exception {
        var key = neighbour.key();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var many = new ArrayList<Future<String>>();
            for (int i = 0; i < 48; i++) {
                many.add(threads.submit(() -> said(UpstreamCaller.REST, way, "naps")));
            }
            await().atMost(PATIENCE).until(() -> many.stream().anyMatch(Future::isDone));
            var own = UpstreamCaller.REST.call(product, key, way.id(), "behaves", Json.object());
            assertThat(own.gist()).isEqualTo("ok fine");
            assertThat(many).as("calls that still wait").anyMatch(one -> !one.isDone());
            for (var one : many) {
                assertThat(one.get()).isEqualTo("ok rested");
            }
        }
    }

    @Test
    void our_own_tools_stay_ours() throws Exception {
        var bash = TestProduct.bash("echo $((6 * 7))");
        var run = UpstreamCaller.mcp(product, product.key, true, "sandbox_execute", bash);
        assertThat(run.toString()).contains("42").doesNotContain("fine");
    }

    @Test
    void a_process_sees_no_other_upstream_and_no_network() throws Exception {
        var seen = said(UpstreamCaller.REST, Way.STDIO, "looks_around");
        var places = Json.parse(seen.substring("ok ".length()));
        assertThat(places.path("/data")).isEmpty();
        assertThat(places.path("/opt").toString()).doesNotContain("server.py");
        assertThat(places.path("network").asString()).isNotEqualTo("open");
        assertThat(
                        places.path("/proc")
                                .valueStream()
                                .filter(each -> each.asString("").matches("\\d+")))
                .hasSizeLessThan(10);
    }

    @Test
    void what_a_process_leaves_behind_ends_with_it() throws Exception {
        assertThat(said(UpstreamCaller.REST, Way.STDIO, "forks")).isEqualTo("ok forked");
        assertThat(UpstreamProductTest.alive("hostile-daemon")).isNotEmpty();
        post("/v1/upstreams/hostile-stdio/restart");
        await().atMost(PATIENCE).until(() -> UpstreamProductTest.alive("hostile-daemon").isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void answers_above_the_limit_leave_memory_flat(Way way) throws Exception {
        said(UpstreamCaller.REST, way, "never_ends");
        long before = usedHeap();
        for (int i = 0; i < 10; i++) {
            assertThat(said(UpstreamCaller.REST, way, "never_ends")).isEqualTo("TooLarge");
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
            for (var caller : UpstreamCaller.values()) {
                said(caller, way, "gives_back");
            }
        }
        for (var page : List.of("/v1/ledger?limit=200", "/v1/executions?limit=200", "/metrics")) {
            var text = product.send(product.request(page)).body();
            assertThat(text).as(page).isNotBlank().doesNotContain(TOKEN);
        }
    }
}
