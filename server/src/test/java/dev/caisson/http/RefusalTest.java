package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.telemetry.LogCapture;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RefusalTest {
    private static final Challenges KEYS = new Challenges(Optional.empty());

    @Test
    void every_reason_has_its_status_and_its_word() {
        for (var reason : Reason.values()) {
            var answer = ErrorAnswer.of(new Refusal(reason, "No."), KEYS);
            // What waits for a person is no failure of anybody.
            int least = reason == Reason.WAITING_APPROVAL ? 202 : 400;
            assertThat(answer.status()).isBetween(least, 503);
            if (reason == Reason.UNAUTHORIZED) {
                assertThat(Json.text(answer.body()))
                        .isEqualTo("{\"error\":\"unauthorized\",\"message\":\"No.\"}");
                continue;
            }
            assertThat(Json.text(answer.body()))
                    .matches(
                            "\\{\"error\":\"[a-z_]+\",\"message\":\"No.\",\"status\":\""
                                    + reason.word()
                                    + "\",\"retryable\":"
                                    + reason.retryable()
                                    + ",\"retry_after_ms\":(null|1000),\"execution_id\":null,"
                                    + "\"details\":null}");
        }
        assertThat(Reason.values()).hasSizeGreaterThanOrEqualTo(15);
    }

    @Test
    void a_missing_key_is_challenged() throws Exception {
        var refusal = new Refusal(Reason.UNAUTHORIZED, "Invalid or revoked API key.");
        var routes =
                Routes.builder()
                        .exact(
                                "/closed",
                                e -> {
                                    throw refusal;
                                });
        try (var site = new Site(HttpSettings.loopback(0), routes)) {
            var reply = site.get("/closed");
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.head()).contains("WWW-Authenticate: Bearer\r\n");
            assertThat(reply.body())
                    .startsWith(
                            "{\"error\":\"unauthorized\",\"message\":\"Invalid or revoked API"
                                    + " key.\"");
            assertThat(new String(site.metrics.scrape(), UTF_8))
                    .contains("caisson_refusals_total{reason=\"unauthorized\"} 1.0");
        }
    }

    @Test
    void a_refusal_may_say_when_to_come_back_and_what_else_it_knows() {
        var refusal = new Refusal(Reason.NO_CAPACITY, "Full.", Map.of("retry_after_seconds", 7));
        var answer = ErrorAnswer.of(refusal, KEYS);
        assertThat(answer.headers()).containsEntry("Retry-After", "7");
        assertThat(Json.text(answer.body()))
                .contains("\"retryable\":true", "\"retry_after_ms\":7000")
                .endsWith("\"details\":{\"retry_after_seconds\":7}}");
    }

    @Test
    void a_refusal_that_names_its_type_says_it_and_whether_it_may_be_met_later() {
        var refusal = Refusal.of(ToolErrorType.UNDER_REVIEW, Reason.UPSTREAM, "Wait.");
        var answer = ErrorAnswer.of(refusal, KEYS);
        assertThat(answer.status()).isEqualTo(502);
        assertThat(Json.text(answer.body()))
                .contains(
                        "\"error\":\"UnderReview\"",
                        "\"status\":\"upstream\"",
                        "\"retryable\":false");
        assertThat(refusal.saying("Not yet.", Map.of()).type())
                .isEqualTo(ToolErrorType.UNDER_REVIEW);
    }

    @Test
    void a_refusal_that_time_does_not_help_names_no_time() {
        var refusal = new Refusal(Reason.NO_CAPACITY, "Full.", Map.of(Refusal.RETRYABLE, false));
        var answer = ErrorAnswer.of(refusal, KEYS);
        assertThat(answer.headers()).doesNotContainKey("Retry-After");
        assertThat(Json.text(answer.body()))
                .contains("\"retryable\":false", "\"retry_after_ms\":null");
    }

    @Test
    void a_fault_is_a_number_to_the_caller_and_a_stack_in_the_log() throws Exception {
        var routes =
                Routes.builder()
                        .exact(
                                "/broken",
                                e -> {
                                    throw new IllegalStateException("our mistake");
                                })
                        .exact("/silent", e -> {})
                        .exact(
                                "/half",
                                e -> {
                                    e.stream(200, Map.of()).write("half".getBytes(UTF_8));
                                    throw new IllegalStateException("in the middle");
                                });
        try (var log = new LogCapture();
                var site = new Site(HttpSettings.loopback(0), routes)) {
            var reply = site.get("/broken");
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.body())
                    .startsWith("{\"error\":\"internal\"")
                    .doesNotContain("mistake");
            var number = reply.body().replaceFirst(".*fault number ([0-9a-f]+).*", "$1");
            assertThat(log.text()).contains("fault " + number, "our mistake", "RefusalTest");
            assertThat(log.text().split("our mistake", -1)).hasSize(2);
            await().until(() -> log.text().contains("\"fault\":\"" + number + "\""));
            assertThat(site.get("/silent").status()).isEqualTo(500);
            assertThat(site.get("/half").body()).doesNotEndWith("0\r\n\r\n");
            assertThat(site.get("/healthz").status()).isEqualTo(200);
        }
    }

    @Test
    void the_log_has_one_line_per_call_and_no_secret_in_it() throws Exception {
        var canary = "canary-7f3a";
        try (var log = new LogCapture();
                var site = new Site(HttpSettings.loopback(0))) {
            site.send(
                    "POST /echo?token=" + canary,
                    "Authorization: Bearer " + canary + "\r\nContent-Length: 11\r\n",
                    canary);
            // Probes are not worth a line.
            assertThat(site.get("/healthz").status()).isEqualTo(200);
            site.get("/nowhere%20here");
            // A line is written after its answer, so the second may come first.
            await().until(() -> log.text().contains("/nowhere here"));
            await().until(() -> log.text().contains("\"/echo\""));
            assertThat(log.text()).doesNotContain(canary);
            var lines = log.text().lines().filter(line -> line.contains("\"call\"")).toList();
            assertThat(lines).hasSize(2);
            var line =
                    lines.stream()
                            .map(Json::parse)
                            .filter(each -> each.path("path").asString("").equals("/echo"))
                            .findFirst()
                            .orElseThrow();
            assertThat(line.get("method").asString()).isEqualTo("POST");
            assertThat(line.get("status").asInt()).isEqualTo(200);
            assertThat(line.get("bytes").asInt()).isEqualTo(11);
            assertThat(line.get("client").asString()).isEqualTo("127.0.0.1");
            assertThat(line.get("trace").asString()).hasSize(32);
            assertThat(line.has("ms")).isTrue();
        }
    }
}
