package dev.caisson.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.share.ShareLimit;
import dev.caisson.store.StoreTestCase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

@Tag("slow")
class WebhooksTest extends StoreTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int UNDELIVERED_MAX = 30;
    private static final long BYTES_MAX = 100_000;
    private static final byte[] SECRET = "a secret of thirty-two bytes ...".getBytes(UTF_8);
    private static final WebhookSettings SETTINGS =
            new WebhookSettings(
                    Set.of("localhost"),
                    Duration.ofSeconds(2),
                    Collections.nCopies(3, Duration.ofMillis(1)),
                    UNDELIVERED_MAX,
                    BYTES_MAX,
                    ShareLimit.DEFAULT);

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

    private HttpServer receiver;
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    /// What it answers, one after the other; 204 when there are no more.
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws IOException {
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
    void what_waits_for_a_revoked_key_is_dropped_and_nothing_comes_after() {
        var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC());
        send(webhooks, "exe_1", url());
        webhooks.expect("exe_2", "key:alice", url());
        webhooks.expect("exe_3", "key:bob", url());

        webhooks.drop(Set.of("key:alice"));

        assertThat(waiting()).isEqualTo(1);
        webhooks.ready("exe_2", "execution.completed", Json.object());
        send(webhooks, "exe_4", url());
        assertThat(waiting()).isEqualTo(1);
        webhooks.ready("exe_3", "execution.completed", Json.object().put("of", "bob"));
        webhooks.start();
        try (webhooks) {
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        assertThat(received).hasSize(1).allMatch(one -> one.body().contains("bob"));
    }

    @Test
    void a_result_that_is_being_sent_when_its_key_is_revoked_is_cut_off() throws Exception {
        var settings =
                new WebhookSettings(
                        Set.of("localhost"),
                        Duration.ofMinutes(10),
                        List.of(Duration.ofMinutes(10)),
                        UNDELIVERED_MAX,
                        BYTES_MAX,
                        ShareLimit.DEFAULT);
        var webhooks = new Webhooks(store, SECRET, settings, Clock.systemUTC());
        try (webhooks;
                var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            webhooks.start();
            send(webhooks, "exe_1", "http://localhost:" + silent.getLocalPort() + "/");
            try (var taken = silent.accept()) {
                taken.setSoTimeout((int) PATIENCE.toMillis());
                assertThat(taken.getInputStream().read()).isEqualTo('P');
                webhooks.drop(Set.of("key:alice"));
                taken.getInputStream().readAllBytes();
            }
        }
        assertThat(waiting()).isZero();
    }

    /// Names that are never answered keep all threads for names that a key may have.
    @Test
    void a_result_that_could_not_be_tried_for_want_of_a_share_has_lost_no_try() throws Exception {
        var settings =
                new WebhookSettings(
                        Set.of("localhost"),
                        Duration.ofSeconds(2),
                        List.of(),
                        UNDELIVERED_MAX,
                        BYTES_MAX,
                        ShareLimit.DEFAULT);
        var answer = new CountDownLatch(1);
        var resolver =
                new Resolver(
                        ShareLimit.DEFAULT,
                        host ->
                                host.equals("localhost")
                                        ? InetAddress.getAllByName(host)
                                        : unknown(host, answer),
                        Duration.ofSeconds(1));
        for (int i = 0; i < ShareLimit.DEFAULT.of(Resolver.THREADS); i++) {
            Thread.ofVirtual().start(() -> ask(resolver, "stuck.example"));
        }
        await().until(() -> resolver.asking() == ShareLimit.DEFAULT.of(Resolver.THREADS));
        var webhooks = new Webhooks(store, SECRET, settings, Clock.systemUTC(), resolver);
        webhooks.start();
        try (webhooks) {
            send(webhooks, "exe_1", url());
            await().atMost(PATIENCE).until(() -> attempts().equals(List.of(1)));
            await().atMost(PATIENCE).until(() -> !attempts().equals(List.of(1)));
            assertThat(attempts()).hasSize(1);
            answer.countDown();
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        assertThat(received).hasSize(1);
    }

    private static void ask(Resolver resolver, String host) {
        try {
            resolver.addresses("key:alice", host);
        } catch (UnknownHostException | InterruptedException expected) {
            return;
        }
    }

    private static InetAddress[] unknown(String host, CountDownLatch answer)
            throws UnknownHostException {
        try {
            answer.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        throw new UnknownHostException(host);
    }

    private List<Integer> attempts() {
        return store.read(
                handle -> handle.query("SELECT attempts FROM webhook").mapTo(Integer.class).list());
    }

    /// Of one that another process put there before it heard.
    @Test
    void what_comes_for_a_revoked_key_from_elsewhere_is_not_sent() {
        var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC());
        webhooks.drop(Set.of("key:alice"));
        var other = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC());
        send(other, "exe_1", url());

        webhooks.start();
        try (webhooks) {
            await().atMost(PATIENCE).until(() -> waiting() == 0);
        }
        assertThat(received).isEmpty();
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

    /// One caller's receiver is silent, and more of its results wait than can be sent at once.
    @Test
    void a_silent_receiver_holds_up_its_own_caller_alone() throws Exception {
        try (var webhooks = new Webhooks(store, SECRET, SLOW, Clock.systemUTC());
                var silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            for (var i = 0; i < UNDELIVERED_MAX; i++) {
                send(webhooks, "exe_" + i, "http://localhost:" + silent.getLocalPort() + "/");
            }
            webhooks.start();
            await().atMost(PATIENCE).until(() -> underWay() == PART);
            for (var i = 0; i < 5; i++) {
                webhooks.expect("exe_bob_" + i, "key:bob", url());
                webhooks.ready("exe_bob_" + i, "execution.completed", Json.object());
            }
            await().atMost(PATIENCE).until(() -> received.size() == 5);
            assertThat(underWay()).isEqualTo(PART);
        }
    }

    /// What one caller may have of the results being sent.
    private static final long PART = ShareLimit.DEFAULT.of(Webhooks.SENDING_MAX);

    /// Nothing of it ends within the test.
    private static final WebhookSettings SLOW =
            new WebhookSettings(
                    Set.of("localhost"),
                    Duration.ofSeconds(60),
                    List.of(Duration.ofHours(1)),
                    UNDELIVERED_MAX,
                    BYTES_MAX,
                    ShareLimit.DEFAULT);

    private long underWay() {
        return store.read(handle ->
                handle.query("SELECT COUNT(*) FROM webhook WHERE attempts > 0")
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void as_many_may_wait_as_a_caller_may_have_and_others_still_may() throws Exception {
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            for (var i = 0; i < UNDELIVERED_MAX; i++) {
                webhooks.check("key:alice", url());
                webhooks.expect("exe_" + i, "key:alice", url());
            }
            assertThatThrownBy(() -> webhooks.check("key:alice", url()))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                                assertThat(refusal.details())
                                        .containsEntry("share", "webhooks")
                                        .containsKey("retry_after_seconds");
                                assertThat(refusal.sentence()).contains("undelivered_max");
                            });
            webhooks.check("key:bob", url());
        }
    }

    @Test
    void when_results_take_too_much_room_those_of_whoever_has_most_are_shortened() {
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            webhooks.expect("exe_bob", "key:bob", url());
            webhooks.ready("exe_bob", "execution.completed", large("exe_bob", 20_000));
            for (var i = 0; i < 10; i++) {
                webhooks.expect("exe_" + i, "key:alice", url());
                webhooks.ready("exe_" + i, "execution.completed", large("exe_" + i, 20_000));
                assertThat(bytes("key:alice") + bytes("key:bob")).isLessThanOrEqualTo(BYTES_MAX);
            }
            assertThat(bytes("key:bob")).isGreaterThan(20_000);
            assertThat(bytes("key:alice")).isGreaterThan(40_000);
            webhooks.start();
            await().atMost(PATIENCE).until(() -> received.size() == 11);
        }
        var bodies = received.stream().map(one -> Json.parse(one.body()).path("data")).toList();
        assertThat(bodies)
                .extracting(data -> data.path("run_id").stringValue())
                .doesNotHaveDuplicates();
        assertThat(bodies)
                .anySatisfy(data -> {
                    assertThat(data.path("status").asString()).isEqualTo("success");
                    assertThat(data.path("note").asString("")).contains("GET /v1/executions/exe_");
                    assertThat(data.has("stdout")).isFalse();
                });
    }

    private static ObjectNode large(String id, int bytes) {
        return Json.object()
                .put("run_id", id)
                .put("status", "success")
                .put("stdout", "x".repeat(bytes));
    }

    private long bytes(String owner) {
        return store.read(handle ->
                handle.query("SELECT SUM(LENGTH(body)) FROM webhook WHERE owner = :owner")
                        .bind("owner", owner)
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void what_is_expected_is_known_until_it_is_there() {
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            webhooks.expect("exe_1", "key:alice", url());
            assertThat(webhooks.abandoned())
                    .containsExactly(new Webhooks.Expected("key:alice", "exe_1"));

            webhooks.ready("exe_1", "execution.failed", Json.object());
            assertThat(webhooks.abandoned()).isEmpty();
        }
    }

    @Test
    void what_is_expected_from_a_server_that_lives_is_not_abandoned() {
        store.enlist(directory, "here");
        try (var webhooks = new Webhooks(store, SECRET, SETTINGS, Clock.systemUTC())) {
            webhooks.expect("exe_1", "key:alice", url());
            assertThat(webhooks.abandoned()).isEmpty();
        }
    }

    private long waiting() {
        return store.read(
                handle -> handle.query("SELECT COUNT(*) FROM webhook").mapTo(Long.class).one());
    }
}
