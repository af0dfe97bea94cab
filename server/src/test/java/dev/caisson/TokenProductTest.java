package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.config.Mistakes;
import dev.caisson.egress.RawHttpServer;
import dev.caisson.identity.TokenIssuer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Access tokens at the doors of the whole product: metadata, challenges, scopes.
@Tag("root")
@Timeout(180)
class TokenProductTest {
    private static final String BASE = "https://caisson.example.org";
    private static final String METADATA = BASE + "/.well-known/oauth-protected-resource/mcp";

    @TempDir Path directory;

    private TokenIssuer key;
    private RawHttpServer issuer;
    private HttpUpstream remote;

    @BeforeEach
    void open() throws Exception {
        key = TokenIssuer.es256("one");
        issuer = new RawHttpServer(this::answer);
        remote = new HttpUpstream("forecast");
        Files.writeString(
                directory.resolve("upstreams.yaml"),
                "weather: {url: %s, calls: {forecast: {effect: read}}}".formatted(remote.url()));
    }

    @AfterEach
    void close() throws IOException {
        issuer.close();
        remote.close();
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        var body =
                switch (request.path()) {
                    case "/.well-known/openid-configuration/realm" ->
                            Json.object().put("issuer", name()).put("jwks_uri", name() + "/keys");
                    case "/realm/keys" -> TokenIssuer.set(key);
                    default -> Json.object();
                };
        out.write(
                RawHttpServer.answer(
                        body.isEmpty() ? 404 : 200, "application/json", Json.bytes(body)));
    }

    private String name() {
        return issuer.address("/realm").toString();
    }

    private String token(String... scopes) throws Exception {
        return key.token(
                Json.object()
                        .put("iss", name())
                        .put("sub", "ada")
                        .put("aud", BASE + "/mcp")
                        .put("exp", Instant.now().getEpochSecond() + 600)
                        .put("scope", String.join(" ", scopes)));
    }

    private TestProduct product() throws Exception {
        return new TestProduct(
                directory,
                "auth.issuer=" + name(),
                "http.public_base_url=" + BASE + "/",
                "upstreams.file=" + directory.resolve("upstreams.yaml"),
                "upstreams.private_hosts=127.0.0.1",
                "environments.bake=false");
    }

    private static HttpResponse<String> rest(TestProduct product, String token, String path)
            throws Exception {
        return product.send(product.open(path).header("Authorization", "Bearer " + token));
    }

    /// A call over MCP, at the newest revision or an older one.
    private static HttpResponse<String> call(
            TestProduct product, boolean modern, String token, String tool) throws Exception {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        var params = message.putObject("params").put("name", tool);
        params.putObject("arguments");
        var request =
                product.open("/mcp")
                        .header("Authorization", "Bearer " + token)
                        .header("Accept", "application/json, text/event-stream");
        if (modern) {
            params.putObject("_meta")
                    .put("io.modelcontextprotocol/protocolVersion", "2026-07-28")
                    .putObject("io.modelcontextprotocol/clientCapabilities");
            request.header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/call")
                    .header("Mcp-Name", tool);
        }
        return product.send(TestProduct.post(request, message));
    }

    private static String challenge(HttpResponse<?> answer) {
        return answer.headers().firstValue("WWW-Authenticate").orElse("");
    }

    @Test
    void clients_find_the_authorization_server_by_the_challenge() throws Exception {
        try (var product = product()) {
            var missing = product.send(product.open("/mcp"));
            assertThat(missing.statusCode()).isEqualTo(401);
            assertThat(challenge(missing))
                    .isEqualTo(
                            "Bearer resource_metadata=\"%s\", scope=\"caisson:run"
                                            .formatted(METADATA)
                                    + " caisson:files_read caisson:files_write caisson:tools\"");
            var wrong = rest(product, "eyJ4.eyJ4.AA", "/v1/whoami");
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(challenge(wrong))
                    .startsWith("Bearer error=\"invalid_token\", resource_metadata=");
            for (var path :
                    List.of(
                            "/.well-known/oauth-protected-resource",
                            "/.well-known/oauth-protected-resource/mcp")) {
                var document = product.send(product.open(path));
                assertThat(document.statusCode()).isEqualTo(200);
                var found = Json.parse(document.body());
                assertThat(found.path("resource").stringValue()).isEqualTo(BASE + "/mcp");
                assertThat(found.at("/authorization_servers/0").stringValue()).isEqualTo(name());
                assertThat(
                                found.path("scopes_supported")
                                        .valueStream()
                                        .map(scope -> scope.stringValue())
                                        .collect(Collectors.joining(" ")))
                        .startsWith("caisson:run caisson:files_read");
                assertThat(
                                product.send(TestProduct.post(product.open(path), Json.object()))
                                        .statusCode())
                        .isEqualTo(405);
            }
        }
    }

    @Test
    void a_token_may_what_its_scopes_say_and_is_told_which_it_lacks() throws Exception {
        try (var product = product()) {
            var who = Json.parse(rest(product, token("caisson:run"), "/v1/whoami").body());
            assertThat(who.path("name").stringValue()).isEqualTo("ada");
            assertThat(who.path("key_id").isNull()).isTrue();
            assertThat(who.at("/scopes/0").stringValue()).isEqualTo("run");

            var refused = rest(product, token("caisson:run"), "/v1/keys");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(challenge(refused))
                    .isEqualTo(
                            "Bearer error=\"insufficient_scope\", resource_metadata=\"%s\", scope=\"caisson:admin\""
                                    .formatted(METADATA));
            assertThat(rest(product, token("caisson:admin"), "/v1/keys").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_call_over_mcp_without_its_scope_is_met_with_a_challenge() throws Exception {
        try (var product = product()) {
            for (var modern : List.of(true, false)) {
                var refused = call(product, modern, token("caisson:tools"), "sandbox_execute");
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(challenge(refused))
                        .contains("error=\"insufficient_scope\"", "scope=\"caisson:run\"");
                assertThat(Json.parse(refused.body()).at("/error/data/scopes/0").stringValue())
                        .isEqualTo("run");
                var unknown = call(product, modern, token("caisson:tools"), "no_such_tool");
                assertThat(unknown.statusCode()).isEqualTo(200);
                assertThat(challenge(unknown)).isEmpty();
                var allowed = call(product, modern, token("caisson:run"), "sandbox_execute");
                assertThat(allowed.statusCode()).isEqualTo(200);
                assertThat(Json.parse(allowed.body()).has("result")).isTrue();
            }
        }
    }

    @Test
    void a_token_is_never_sent_on() throws Exception {
        try (var product = product()) {
            var token = token("caisson:tools");
            product.server.core.upstreams.upstreams.restart("weather");
            var called = rest(product, token, "/v1/tools/weather/forecast");
            assertThat(called.statusCode()).isIn(200, 404);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() ->
                            assertThat(call(product, true, token, "weather__forecast").body())
                                    .contains("rain; you sent "));
            assertThat(remote.server.requests())
                    .isNotEmpty()
                    .allSatisfy(request ->
                            assertThat(request.headers().toString())
                                    .doesNotContain(token)
                                    .doesNotContain("authorization"));
        }
    }

    @Test
    void an_issuer_that_names_another_is_not_asked_for_keys() throws Exception {
        issuer.close();
        issuer =
                new RawHttpServer((request, out) ->
                        out.write(
                                RawHttpServer.answer(
                                        200,
                                        "application/json",
                                        Json.text(
                                                Json.object()
                                                        .put("issuer", name() + "/")
                                                        .put("jwks_uri", name() + "/k")))));
        try (var product = product()) {
            var refused = rest(product, token("caisson:run"), "/v1/whoami");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("names another issuer");
            assertThat(issuer.requests()).hasSize(1);
        }
    }

    @Test
    void without_an_issuer_there_is_no_metadata_and_no_token_counts() throws Exception {
        try (var product = new TestProduct(directory, "environments.bake=false")) {
            var path = "/.well-known/oauth-protected-resource";
            assertThat(product.send(product.open(path)).statusCode()).isEqualTo(404);
            var refused = rest(product, token("caisson:admin"), "/v1/whoami");
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(challenge(refused)).isEqualTo("Bearer");
        }
    }

    @Test
    void an_issuer_needs_the_address_of_this_server_and_keys() {
        var issuer = "auth.issuer=https://login.example.org";
        assertThatThrownBy(() -> TestProduct.config(directory, issuer))
                .isInstanceOf(Mistakes.class)
                .hasMessageContaining("http.public_base_url");
        assertThatThrownBy(() ->
                        TestProduct.config(
                                directory,
                                issuer,
                                "http.public_base_url=" + BASE,
                                "auth.enabled=false"))
                .isInstanceOf(Mistakes.class)
                .hasMessageContaining("auth.enabled");
        assertThatThrownBy(() ->
                        TestProduct.config(
                                directory, "auth.issuer=login", "http.public_base_url=" + BASE))
                .isInstanceOf(Mistakes.class)
                .hasMessageContaining("is not an address");
    }
}
