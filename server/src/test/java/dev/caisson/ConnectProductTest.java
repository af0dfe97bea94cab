package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.egress.RawHttpServer;
import dev.caisson.json.Json;
import dev.caisson.oauth.FakeAuthorization;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A person connects an upstream through the whole product, in a browser of its own.
@Tag("root")
@Timeout(180)
class ConnectProductTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path directory;

    private FakeAuthorization authorization;
    private HttpUpstream upstream;

    @BeforeEach
    void open() throws IOException {
        authorization = new FakeAuthorization();
        upstream = new HttpUpstream("forecast");
        authorization.upstream = this::answer;
        Files.writeString(
                directory.resolve("upstreams.yaml"),
                """
                notes:
                  url: %s
                  credentials: {kind: oauth}
                  calls: {forecast: {effect: read}}
                own:
                  url: %s
                  per: caller
                  credentials: {kind: oauth}
                """
                        .formatted(authorization.upstream(), authorization.upstream()));
    }

    /// It takes the tokens that were given, and nothing else.
    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        if (request.header("authorization").startsWith("Bearer access-")) {
            upstream.answer(request, out);
        } else {
            out.write(RawHttpServer.answer(401, "text/plain", "", "WWW-Authenticate: Bearer"));
        }
    }

    @AfterEach
    void close() throws IOException {
        authorization.close();
        upstream.close();
    }

    private TestProduct product() throws Exception {
        return new TestProduct(
                directory,
                "upstreams.file=" + directory.resolve("upstreams.yaml"),
                "upstreams.private_hosts=127.0.0.1",
                "environments.bake=false");
    }

    private static HttpResponse<String> connect(
            TestProduct product, String key, String id, boolean server) throws Exception {
        return product.send(
                TestProduct.post(
                        product.open("/v1/upstreams/" + id + "/connect")
                                .header("Authorization", "Bearer " + key),
                        Json.object().put("server", server)));
    }

    private static Map<String, String> query(HttpResponse<String> begun) {
        var visit = URI.create(Json.parse(begun.body()).path("url").stringValue());
        return FakeAuthorization.form(visit.getRawQuery());
    }

    private static String state(HttpResponse<String> begun) {
        return Objects.requireNonNull(query(begun).get("state"));
    }

    private static String cookie(HttpResponse<String> begun) {
        return begun.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
    }

    private HttpResponse<String> back(TestProduct product, String state, String cookie)
            throws Exception {
        var issuer = URLEncoder.encode(authorization.issuer(), StandardCharsets.UTF_8);
        return product.send(
                product.open("/oauth/callback?code=c&state=" + state + "&iss=" + issuer)
                        .header("Cookie", "other=1; " + cookie));
    }

    private static HttpResponse<String> call(TestProduct product, String id) throws Exception {
        return product.send(
                TestProduct.post(
                        product.request("/v1/tools/" + id + "/forecast/call"), Json.object()));
    }

    private static JsonNode upstreamOf(TestProduct product, String id) throws Exception {
        return product.get("/v1/upstreams/" + id);
    }

    @Test
    void a_person_connects_an_upstream_and_its_tools_are_called() throws Exception {
        try (var product = product()) {
            await().atMost(PATIENCE)
                    .until(() ->
                            upstreamOf(product, "notes")
                                    .path("last_error")
                                    .asString("")
                                    .contains("needs to be connected"));
            var begun = connect(product, product.key, "notes", false);
            assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
            assertThat(begun.headers().firstValue("Set-Cookie").orElseThrow())
                    .startsWith("__Host-caisson-connect=")
                    .endsWith("; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax");
            var state = state(begun);
            assertThat(query(begun).get("redirect_uri"))
                    .isEqualTo(product.server.address() + "/oauth/callback");

            var connected = back(product, state, cookie(begun));
            assertThat(connected.statusCode()).as(connected.body()).isEqualTo(200);
            assertThat(connected.body()).contains("The server notes is connected.");
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(call(product, "notes").body())
                                    .contains("rain")
                                    .doesNotContain("access-1"));
            assertThat(back(product, state, cookie(begun)).statusCode()).isEqualTo(400);
            assertThat(product.send(product.request("/v1/ledger?limit=100")).body())
                    .contains("upstream_connect\"", "upstream_connected\"")
                    .doesNotContain(state);
        }
    }

    @Test
    void another_browser_connects_nothing() throws Exception {
        try (var product = product()) {
            var begun = connect(product, product.key, "notes", false);
            var refused = back(product, state(begun), "x=1");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("another browser");
            assertThat(refused.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'none'");
            assertThat(authorization.grants).isEmpty();
        }
    }

    @Test
    void only_operators_connect_what_all_share_and_each_key_its_own() throws Exception {
        try (var product = product()) {
            var wanted = Json.object().put("name", "ada");
            wanted.putArray("scopes").add("tools");
            var key =
                    Json.parse(
                                    product.send(
                                                    TestProduct.post(
                                                            product.request("/v1/keys"), wanted))
                                            .body())
                            .path("secret")
                            .stringValue();
            assertThat(connect(product, key, "notes", false).statusCode()).isEqualTo(403);
            assertThat(connect(product, key, "own", true).statusCode()).isEqualTo(403);
            assertThat(connect(product, key, "nobody", false).statusCode()).isEqualTo(404);
            var begun = connect(product, key, "own", false);
            assertThat(begun.statusCode()).isEqualTo(200);
            back(product, state(begun), cookie(begun));
            var owners =
                    product.server.core.store.read(handle ->
                            handle.query("SELECT owner FROM oauth_token")
                                    .mapTo(String.class)
                                    .list());
            assertThat(owners).hasSize(1).allSatisfy(owner -> assertThat(owner).startsWith("key:"));
        }
    }

    @Test
    void nobody_connects_what_needs_no_person() throws Exception {
        try (var product = product()) {
            var entry = Json.object().put("url", upstream.url());
            assertThat(
                            product.send(
                                            product.request("/v1/upstreams/plain")
                                                    .header("Content-Type", "application/json")
                                                    .PUT(BodyPublishers.ofString(Json.text(entry))))
                                    .statusCode())
                    .isEqualTo(200);
            assertThat(connect(product, product.key, "plain", false).statusCode()).isEqualTo(409);
        }
    }

    @Test
    void authorization_servers_read_who_this_is() throws Exception {
        try (var product = product()) {
            var said = Json.parse(product.send(product.open("/oauth/client.json")).body());
            var base = product.server.address().toString();
            assertThat(said.path("client_id").stringValue()).isEqualTo(base + "/oauth/client.json");
            assertThat(said.at("/redirect_uris/0").stringValue())
                    .isEqualTo(base + "/oauth/callback");
            assertThat(said.path("application_type").stringValue()).isEqualTo("native");
            assertThat(said.path("token_endpoint_auth_method").stringValue()).isEqualTo("none");
            for (var path : List.of("/oauth/client.json", "/oauth/callback")) {
                assertThat(
                                product.send(TestProduct.post(product.open(path), Json.object()))
                                        .statusCode())
                        .isEqualTo(405);
            }
        }
    }
}
