package dev.caisson.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.store.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class WebhooksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] SECRET = "a secret of thirty-two bytes ...".getBytes(UTF_8);
    private static final WebhookSettings SETTINGS =
            new WebhookSettings(
                    Set.of("localhost"),
                    Duration.ofSeconds(2),
                    Collections.nCopies(3, Duration.ofMillis(1)));

    /// What a receiver got.
    private record Received(Map<String, List<String>> headers, String body) {
        String header(String name) {
            return headers.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(header -> header.getValue().getFirst())
                    .findFirst()
                    .orElseThrow();
        }
    }

    private final TestDatabase.Kind kind;
    @TempDir Path directory;
    private Store store;
    private HttpServer receiver;
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    /// What it answers, one after the other; 204 when there are no more.
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

    WebhooksTest(TestDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void start() throws IOException {
        store = kind.fresh(directory).open();
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
                    received.add(new Received(exchange.getRequestHeaders(), body));
                    var status = answers.isEmpty() ? 204 : answers.remove();
                    exchange.getResponseHeaders().add("Location", "/elsewhere");
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
        store.close();
    }

    private String url() {
        return "http://localhost:" + receiver.getAddress().getPort() + "/hook?a=b";
    }

    private Webhooks webhooks() {
        var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC());
        webhooks.start();
        return webhooks;
    }

    private static void send(Webhooks webhooks, String execution, String url) {
        webhooks.expect(execution, "key:alice", url);
        webhooks.ready(execution, "execution.completed", Json.object().put("status", "success"));
    }

    @Test
    void a_result_is_sent_once_and_signed() throws Exception {
        try (var webhooks = webhooks()) {
            send(webhooks, "exe_1", url());
            await().atMost(PATIENCE).until(() -> !received.isEmpty());

            var one = received.peek();
            assertThat(one.header("Content-Type")).isEqualTo("application/json");
            assertThat(one.header("webhook-id")).startsWith("msg_");
            var body = Json.parse(one.body());
            assertThat(body.path("type").stringValue()).isEqualTo("execution.completed");
            assertThat(body.path("data").path("status").stringValue()).isEqualTo("success");
            assertThat(one.header("webhook-signature"))
                    .isEqualTo("v1," + signature(webhooks.secret("key:alice"), one));
            assertThat(webhooks.secret("key:bob")).isNotEqualTo(webhooks.secret("key:alice"));
        }
        assertThat(received).hasSize(1);
        assertThat(waiting()).isZero();
    }

    /// As a receiver computes it, from the secret as it was shown.
    private static String signature(String secret, Received one) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        var key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        var signed =
                one.header("webhook-id") + "." + one.header("webhook-timestamp") + "." + one.body();
        return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    }

    @Test
    void a_receiver_that_fails_gets_it_again_with_the_same_id() {
        answers.addAll(List.of(500, 302, 200));
        try (var webhooks = webhooks()) {
            send(webhooks, "exe_1", url());
            await().atMost(PATIENCE).until(() -> received.size() == 3);
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        assertThat(received).hasSize(3);
        assertThat(received.stream().map(one -> one.header("webhook-id")).distinct()).hasSize(1);
    }

    @Test
    void after_the_last_try_or_when_it_is_gone_nothing_is_sent_any_more() {
        answers.addAll(List.of(500, 500, 500, 500));
        try (var webhooks = webhooks()) {
            send(webhooks, "exe_1", url());
            await().atMost(PATIENCE).until(() -> waiting() == 0);
            assertThat(received).hasSize(4);

            answers.add(410);
            send(webhooks, "exe_2", url());
            await().atMost(PATIENCE).until(() -> waiting() == 0);
            assertThat(received).hasSize(5);
        }
    }

    @Test
    void what_waits_survives_a_restart_and_an_address_is_judged_at_every_try() {
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            send(webhooks, "exe_1", url());
            send(webhooks, "exe_2", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
        }
        try (var _ = webhooks()) {
            await().atMost(PATIENCE).until(() -> received.size() == 1);
        }
        assertThat(received.peek().header("Host")).startsWith("localhost");
    }

    @Test
    void a_receiver_that_never_answers_is_given_up() throws Exception {
        try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                var webhooks = webhooks()) {
            send(webhooks, "exe_1", "http://localhost:" + silent.getLocalPort() + "/");
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
    }

    @Test
    void what_is_expected_is_known_until_it_is_there() {
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            webhooks.expect("exe_1", "key:alice", url());
            assertThat(webhooks.expected())
                    .containsExactly(new Webhooks.Expected("key:alice", "exe_1"));

            webhooks.ready("exe_1", "execution.failed", Json.object());
            assertThat(webhooks.expected()).isEmpty();
        }
    }

    private long waiting() {
        return store.read(handle ->
                handle.createQuery("SELECT COUNT(*) FROM webhook").mapTo(Long.class).one());
    }
}
