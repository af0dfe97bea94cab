package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.SpanId;
import dev.caisson.call.TraceId;
import dev.caisson.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpanExportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SpanExport.Pace QUICK =
            new SpanExport.Pace(
                    Duration.ofMillis(20), Duration.ofMillis(10), Duration.ofSeconds(20));
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final TraceId TRACE = new TraceId("4bf92f3577b34da6a3ce929d0e0e4736");

    private final Metrics metrics = new Metrics();
    private TestCollector collector;

    @BeforeEach
    void open() throws Exception {
        collector = new TestCollector();
    }

    @AfterEach
    void close() {
        collector.close();
    }

    private static OtlpSettings settings(URI endpoint) {
        return new OtlpSettings(endpoint, Map.of("x-key", "hush-hush"), "caisson-test", "9.9");
    }

    private SpanExport export(SpanExport.Pace pace) {
        return SpanExport.start(settings(collector.endpoint()), metrics, pace);
    }

    private static Span span(String name) {
        return new Span(
                TRACE,
                SpanId.fresh(),
                Optional.empty(),
                Span.Kind.INTERNAL,
                name,
                Instant.ofEpochSecond(1_700_000_000, 5),
                Duration.ofNanos(7),
                Map.of(),
                false);
    }

    private static List<Span> spans(int count) {
        return Collections.nCopies(count, span("one"));
    }

    private double dropped(String why) {
        return metrics.spansDropped().labelValues(why).get();
    }

    private void awaitDropped(String why, double count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(dropped(why)).isEqualTo(count));
    }

    private void awaitExported(double count) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(metrics.spansExported().get()).isEqualTo(count));
    }

    @Test
    void a_span_arrives_as_the_protocol_writes_it() {
        var parent = new SpanId("00f067aa0ba902b7");
        try (var export = export(QUICK)) {
            export.add(
                    List.of(
                            new Span(
                                    TRACE,
                                    new SpanId("1112131415161718"),
                                    Optional.of(parent),
                                    Span.Kind.SERVER,
                                    "run",
                                    Instant.ofEpochSecond(1_700_000_000, 5),
                                    Duration.ofNanos(7),
                                    Map.of("caisson.door", "mcp"),
                                    true)));
            awaitExported(1);
        }

        var request = collector.received().getFirst();
        assertThat(request.path()).isEqualTo("/v1/traces");
        assertThat(request.headers())
                .containsEntry("content-type", "application/json")
                .containsEntry("x-key", "hush-hush");
        var resource = Json.parse(request.body()).at("/resourceSpans/0");
        assertThat(TestCollector.words(resource.at("/resource/attributes")))
                .isEqualTo(Map.of("service.name", "caisson-test", "service.version", "9.9"));
        assertThat(resource.path("scopeSpans"))
                .isEqualTo(
                        Json.parse(
                                """
                                [{"scope":{"name":"dev.caisson","version":"9.9"},
                                  "spans":[{
                                    "traceId":"4bf92f3577b34da6a3ce929d0e0e4736",
                                    "spanId":"1112131415161718",
                                    "parentSpanId":"00f067aa0ba902b7",
                                    "name":"run",
                                    "kind":2,
                                    "startTimeUnixNano":"1700000000000000005",
                                    "endTimeUnixNano":"1700000000000000012",
                                    "attributes":[
                                      {"key":"caisson.door","value":{"stringValue":"mcp"}}],
                                    "status":{"code":2}}]}]
                                """));
    }

    @Test
    void many_spans_share_a_request() {
        try (var export = export(QUICK)) {
            for (int n = 0; n < 40; n++) {
                export.add(spans(SpanExport.BATCH / 4));
            }
            awaitExported(10 * SpanExport.BATCH);
        }
        assertThat(collector.spans()).hasSize(10 * SpanExport.BATCH);
        assertThat(collector.received()).hasSizeBetween(10, 30);
    }

    @Test
    void as_many_spans_are_held_as_the_limit_says_and_no_call_is_cut_in_two() {
        var released = new CountDownLatch(1);
        collector.from(exchange -> {
            awaitUninterrupted(released);
            TestCollector.answer(exchange, 200, "{}");
        });
        try (var export = export(QUICK)) {
            export.add(spans(SpanExport.SPANS_MAX - 2));
            export.add(spans(3));
            assertThat(dropped("no_room")).isEqualTo(3);
            export.add(spans(2));
            assertThat(dropped("no_room")).isEqualTo(3);
            export.add(spans(1));
            assertThat(dropped("no_room")).isEqualTo(4);

            released.countDown();
            awaitExported(SpanExport.SPANS_MAX);
            export.add(spans(5));
            awaitExported(SpanExport.SPANS_MAX + 5);
        }
        assertThat(dropped("no_room")).isEqualTo(4);
    }

    private static void awaitUninterrupted(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }

    @Test
    void a_collector_that_is_busy_is_asked_again() {
        var asked = new AtomicInteger();
        collector.from(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "0");
            TestCollector.answer(exchange, asked.incrementAndGet() < 3 ? 503 : 200, "");
        });
        try (var export = export(QUICK)) {
            export.add(spans(2));
            awaitExported(2);
        }
        assertThat(asked).hasValue(3);
    }

    @Test
    void the_pause_a_collector_asks_for_is_kept() {
        var asked = new AtomicInteger();
        collector.from(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1");
            TestCollector.answer(exchange, asked.incrementAndGet() < 2 ? 429 : 200, "");
        });
        long begun = System.nanoTime();
        try (var export = export(QUICK)) {
            export.add(spans(1));
            awaitExported(1);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void a_collector_that_stays_busy_is_given_up() {
        collector.from(exchange -> TestCollector.answer(exchange, 503, "busy"));
        try (var export = export(QUICK)) {
            export.add(spans(2));
            awaitDropped("not_delivered", 2);
        }
        assertThat(collector.received()).hasSize(SpanExport.TRIES_MAX);
    }

    @Test
    void what_a_collector_refuses_is_not_sent_again_and_later_spans_are() {
        collector.from(exchange -> TestCollector.answer(exchange, 400, "no"));
        try (var export = export(QUICK)) {
            export.add(spans(2));
            awaitDropped("refused", 2);
            assertThat(collector.received()).hasSize(1);
            collector.from(exchange -> TestCollector.answer(exchange, 200, ""));
            export.add(spans(3));
            awaitExported(3);
        }
    }

    @Test
    void a_redirect_is_not_followed() throws Exception {
        try (var elsewhere = new TestCollector()) {
            collector.from(exchange -> {
                exchange.getResponseHeaders().set("Location", elsewhere.endpoint() + "/v1/traces");
                TestCollector.answer(exchange, 307, "");
            });
            try (var export = export(QUICK)) {
                export.add(spans(1));
                awaitDropped("refused", 1);
            }
            assertThat(elsewhere.received()).isEmpty();
        }
    }

    @Test
    void spans_a_collector_rejects_of_those_it_takes_are_counted() {
        var answers =
                List.of("{\"partialSuccess\":{\"rejectedSpans\":\"2\"}}", "<html>", "[]", "{");
        var asked = new AtomicInteger();
        collector.from(exchange ->
                TestCollector.answer(exchange, 200, answers.get(asked.getAndIncrement())));
        try (var export = export(QUICK)) {
            for (int n = 1; n <= answers.size(); n++) {
                export.add(spans(5));
                awaitExported(5 * n - 2);
            }
        }
        assertThat(dropped("refused")).isEqualTo(2);
    }

    @Test
    void an_answer_without_end_is_none() {
        collector.from(exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 0);
                var block = new byte[Collector.ANSWER_BYTES_MAX / 4];
                for (int n = 0; n < 100; n++) {
                    exchange.getResponseBody().write(block);
                }
            }
        });
        try (var export = export(QUICK)) {
            export.add(spans(1));
            awaitDropped("not_delivered", 1);
        }
    }

    @Test
    void what_does_not_speak_http_is_no_collector() throws Exception {
        try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> babble(socket));
            var endpoint = URI.create("http://127.0.0.1:" + socket.getLocalPort());
            try (var export = SpanExport.start(settings(endpoint), metrics, QUICK)) {
                export.add(spans(1));
                awaitDropped("not_delivered", 1);
            }
        }
    }

    private static void babble(ServerSocket socket) {
        try {
            while (true) {
                try (var one = socket.accept()) {
                    one.getOutputStream().write("SSH-2.0-whatever\r\n\r\n".getBytes(UTF_8));
                }
            }
        } catch (IOException _) {
            // The test is over.
        }
    }

    @Test
    void a_collector_that_is_away_costs_spans_and_nothing_else() {
        var endpoint = collector.endpoint();
        collector.close();
        try (var log = new LogCapture();
                var export = SpanExport.start(settings(endpoint), metrics, QUICK)) {
            for (int n = 1; n <= 3; n++) {
                export.add(spans(1));
                awaitDropped("not_delivered", n);
            }
            assertThat(log.text()).containsOnlyOnce("spans do not arrive").doesNotContain("hush");
        }
    }

    @Test
    void spans_arrive_again_when_the_collector_is_back() throws Exception {
        var endpoint = collector.endpoint();
        collector.close();
        try (var log = new LogCapture();
                var export = SpanExport.start(settings(endpoint), metrics, QUICK)) {
            export.add(spans(1));
            awaitDropped("not_delivered", 1);
            try (var _ = new TestCollector(endpoint.getPort())) {
                export.add(spans(4));
                awaitExported(4);
            }
            assertThat(log.text()).containsOnlyOnce("spans arrive at").contains("again");
        }
    }

    @Test
    void a_collector_that_never_answers_is_not_waited_for() {
        collector.from(_ -> {});
        var pace = new SpanExport.Pace(QUICK.gather(), QUICK.pause(), Duration.ofMillis(100));
        try (var export = export(pace)) {
            export.add(spans(1));
            awaitDropped("not_delivered", 1);
        }
    }

    @Test
    void what_is_left_is_sent_at_the_end() {
        var slow = new SpanExport.Pace(Duration.ofHours(1), QUICK.pause(), QUICK.answer());
        try (var export = export(slow)) {
            export.add(spans(7));
        }
        assertThat(collector.spans()).hasSize(7);
        assertThat(metrics.spansExported().get()).isEqualTo(7);
    }

    @Test
    void the_end_comes_in_time_whatever_the_collector_does() {
        collector.from(_ -> {});
        var pace = new SpanExport.Pace(QUICK.gather(), QUICK.pause(), Duration.ofHours(1));
        var export = export(pace);
        export.add(spans(SpanExport.BATCH));
        export.add(spans(SpanExport.BATCH));
        await().atMost(PATIENCE).until(() -> !collector.received().isEmpty());
        export.add(spans(3));

        long begun = System.nanoTime();
        export.close(Duration.ofMillis(200));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
        assertThat(dropped("not_delivered")).isEqualTo(2 * SpanExport.BATCH + 3);
        export.add(spans(1));
        assertThat(dropped("no_room")).isEqualTo(1);
    }

    @Test
    void over_tls_spans_go_only_to_a_collector_that_is_trusted(@TempDir Path directory)
            throws Exception {
        var keys = keys(directory.resolve("keys.p12"));
        var context = context(keys);
        var before = SSLContext.getDefault();
        try (var secured = TestCollector.secured(context)) {
            try (var export = SpanExport.start(settings(secured.endpoint()), metrics, QUICK)) {
                export.add(spans(1));
                awaitDropped("not_delivered", 1);
            }
            assertThat(secured.received()).isEmpty();

            SSLContext.setDefault(context);
            try (var export = SpanExport.start(settings(secured.endpoint()), metrics, QUICK)) {
                export.add(spans(2));
                awaitExported(2);
            }
            assertThat(secured.spans()).hasSize(2);
        } finally {
            SSLContext.setDefault(before);
        }
    }

    private static KeyStore keys(Path file) throws Exception {
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var made =
                new ProcessBuilder(
                                keytool,
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=collector",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD),
                                "-keystore",
                                file.toString())
                        .inheritIO()
                        .start();
        assertThat(made.waitFor()).isZero();
        return KeyStore.getInstance(file.toFile(), PASSWORD);
    }

    /// Of one who has the key and trusts its certificate.
    private static SSLContext context(KeyStore keys) throws Exception {
        var mine = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        mine.init(keys, PASSWORD);
        var certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("a", keys.getCertificate("a"));
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(certificates);
        var context = SSLContext.getInstance("TLS");
        context.init(mine.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    @Test
    void an_endpoint_may_have_a_path() {
        var settings = settings(URI.create("https://example.org/otlp/"));
        assertThat(settings.traces()).hasToString("https://example.org/otlp/v1/traces");
        assertThat(settings(URI.create("https://example.org/otlp")).traces())
                .isEqualTo(settings.traces());
        assertThat(settings.toString()).doesNotContain("hush");
    }
}
