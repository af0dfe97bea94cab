package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Scope;
import dev.caisson.identity.OpenGate;
import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsGuardTest {
    @TempDir Path directory;

    @Test
    void they_are_open_where_only_this_machine_reaches_the_server() throws Exception {
        assertThat(isOpen()).isTrue();
        assertThat(isOpen("http.host=::1")).isTrue();
        assertThat(isOpen("http.host=0.0.0.0")).isFalse();
        assertThat(isOpen("http.trusted_proxies=127.0.0.1")).isFalse();
        assertThat(isOpen("http.public_base_url=https://caisson.example")).isFalse();
        assertThat(isOpen("http.host=0.0.0.0", "telemetry.metrics_access=open")).isTrue();
        assertThat(isOpen("telemetry.metrics_access=key")).isFalse();
    }

    @Test
    void guarded_they_are_read_with_a_key_of_an_operator() throws Exception {
        var config = TestProduct.config(directory, "telemetry.metrics_access=key");
        try (var server = Server.start(config, Clock.systemUTC())) {
            var metrics = server.address().resolve("/metrics");
            var admin = server.makeFirstKey().orElseThrow().secret();

            assertThat(get(metrics, Optional.empty()).statusCode()).isEqualTo(401);
            assertThat(get(metrics, Optional.of(admin)).statusCode()).isEqualTo(200);
            assertThat(get(metrics, Optional.of(key(server, admin, Scope.AUDIT))).statusCode())
                    .isEqualTo(200);
            var refused = get(metrics, Optional.of(key(server, admin, Scope.RUN)));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("admin or audit").doesNotContain("caisson_");
            assertThat(get(server.address().resolve("/healthz"), Optional.empty()).statusCode())
                    .isEqualTo(200);
        }
    }

    private boolean isOpen(String... settings) throws Exception {
        return MetricsGuard.of(TestProduct.config(directory, settings), new OpenGate()).isEmpty();
    }

    private static String key(Server server, String admin, Scope scope) throws Exception {
        var wanted = Json.object().put("name", scope.word());
        wanted.putArray("scopes").add(scope.word());
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(server.address().resolve("/v1/keys"))
                            .header("Authorization", "Bearer " + admin)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(Json.text(wanted)))
                            .build();
            var body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return Json.parse(body).path("secret").stringValue();
        }
    }

    private static HttpResponse<String> get(URI address, Optional<String> key) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(address);
            key.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
