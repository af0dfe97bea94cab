package dev.caisson.rest.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.RecordCopy;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.http.HttpLimits;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.Listener;
import dev.caisson.http.Routes;
import dev.caisson.identity.TestGate;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.Records;
import dev.caisson.rest.RestServer;
import dev.caisson.share.TestWorkers;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What holds for every route: its body, its parameters, its scope.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RouteTest {
    private static final int BODY_BYTES_MAX = 1000;
    private static final Parameter.Bounds LIMIT = new Parameter.Bounds(1, 200, 50);

    record Thing(@Length(min = 1) String name, Optional<Integer> size) {
        Thing {
            if (name.equals("bad")) {
                throw new IllegalArgumentException("a thing is never bad");
            }
        }
    }

    record Asked(String name, long limit, boolean all) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private Listener listener;

    @BeforeAll
    void start() throws Exception {
        var metrics = new Metrics();
        var table =
                new RouteTable(
                        List.of(
                                Route.post("/v1/things")
                                        .named("makeThing", "Make")
                                        .taking(Thing.class)
                                        .giving(201, Thing.class)
                                        .by(ask ->
                                                Response.json(
                                                        201, Records.tree(ask.body(Thing.class)))),
                                Route.get("/v1/things/{name}")
                                        .named("getThing", "Get")
                                        .with(
                                                Parameter.number("limit", "How many", LIMIT),
                                                Parameter.flag("all", "All of them"))
                                        .giving(Asked.class)
                                        .by(ask ->
                                                Response.ok(
                                                        Records.tree(
                                                                new Asked(
                                                                        ask.place("name"),
                                                                        ask.number("limit", LIMIT),
                                                                        ask.flag("all"))))),
                                Route.delete("/v1/things/{name}")
                                        .named("deleteThing", "Delete")
                                        .needing(Scope.AUDIT, Scope.ADMIN)
                                        .giving(Reply.empty(204))
                                        .by(_ -> Response.empty(204))));
        listener =
                new Listener(
                        RecordCopy.with(
                                HttpSettings.loopback(0),
                                "limits",
                                RecordCopy.with(
                                        HttpLimits.DEFAULT,
                                        "requests.bodyBytesMax",
                                        BODY_BYTES_MAX)),
                        Routes.builder()
                                .prefix(
                                        "/v1/",
                                        new RestServer(
                                                new TestGate(RouteTest::admitted),
                                                table,
                                                TestWorkers.WORKERS,
                                                new PlainRefusals()))
                                .build(),
                        metrics,
                        new Faults(metrics));
        listener.start();
    }

    /// Nothing is recorded, and nothing taken out.
    private static final class PlainRefusals implements RestServer.Refusals {
        @Override
        public Refusal shown(Caller caller, Refusal refusal) {
            return refusal;
        }

        @Override
        public void denied(Call call, String operation, Refusal refusal) {}
    }

    /// Every word is a key; `root` may do everything, others run programs.
    private static Caller admitted(String address, Optional<String> authorization) {
        var name = authorization.orElseThrow().substring("Bearer ".length());
        return new Caller(
                name,
                name,
                name.equals("root") ? Set.of(Scope.values()) : Set.of(Scope.RUN),
                Set.of());
    }

    @AfterAll
    void stop() {
        http.shutdownNow();
        listener.close();
    }

    @Test
    void a_body_of_the_right_shape_is_taken() throws Exception {
        var answer = post("application/json; charset=utf-8", "{\"name\":\"a\",\"size\":3}");

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("{\"name\":\"a\",\"size\":3}");
    }

    @Test
    void a_wrong_body_is_400_and_says_what_is_wrong() throws Exception {
        assertRefused(post("{\"name\":"), 400, "validation_error", "The body is not JSON");
        assertRefused(post(""), 400, "validation_error", "The body");
        assertRefused(post("[]"), 400, "validation_error", "must be a JSON object");
        assertRefused(post("{}"), 400, "validation_error", "name");
        assertRefused(post("{\"name\":\"\"}"), 400, "validation_error", "name");
        assertRefused(post("{\"name\":\"a\",\"x\":1}"), 400, "validation_error", "x");
        assertRefused(post("{\"name\":\"bad\"}"), 400, "validation_error", "is never bad");
        assertThat(Json.parse(post("{}").body()).path("details").path("complaints").isArray())
                .isTrue();
    }

    @Test
    void a_body_that_is_not_json_or_too_large_is_named_so() throws Exception {
        assertRefused(post("text/plain", "{}"), 415, "unsupported_media_type", "application/json");
        assertRefused(post("", "{}"), 415, "unsupported_media_type", "application/json");
        var most = "{\"name\":\"%s\"}".formatted("x".repeat(BODY_BYTES_MAX - 11));
        assertThat(post(most).statusCode()).isEqualTo(201);
        assertRefused(post(most + " "), 413, "payload_too_large", "larger than");
    }

    @Test
    void parameters_have_presets_and_bounds() throws Exception {
        assertThat(get("/v1/things/a%20b").body())
                .isEqualTo("{\"name\":\"a b\",\"limit\":50,\"all\":false}");
        assertThat(get("/v1/things/a?limit=200&all=true").body())
                .isEqualTo("{\"name\":\"a\",\"limit\":200,\"all\":true}");
        assertThat(get("/v1/things/a?limit=&all=").statusCode()).isEqualTo(200);
        for (var wrong : List.of("limit=0", "limit=201", "limit=x", "all=yes")) {
            assertRefused(get("/v1/things/a?" + wrong), 400, "validation_error", "must be");
        }
    }

    @Test
    void a_route_with_scopes_takes_one_of_them_and_names_them() throws Exception {
        assertRefused(delete("alice"), 403, "forbidden", "the scope audit or admin");
        assertThat(delete("root").statusCode()).isEqualTo(204);
        assertThat(delete("root").body()).isEmpty();
    }

    @Test
    void a_path_says_all_methods_it_takes() throws Exception {
        var answer = send(as("alice", "/v1/things/a").method("PUT", BodyPublishers.noBody()));

        assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD, DELETE");
    }

    @Test
    void two_routes_are_never_the_same() {
        var route = Route.get("/v1/a").named("a", "A").by(_ -> Response.empty(204));
        var alike = Route.get("/v1/a").named("b", "B").by(_ -> Response.empty(204));
        var namesake = Route.get("/v1/b").named("a", "A").by(_ -> Response.empty(204));

        for (var other : List.of(alike, namesake)) {
            assertThatThrownBy(() -> new RouteTable(List.of(route, other)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void assertRefused(
            HttpResponse<String> answer, int status, String word, String part) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        var body = Json.parse(answer.body());
        assertThat(body.path("error").stringValue()).isEqualTo(word);
        assertThat(body.path("message").stringValue()).contains(part);
    }

    private HttpResponse<String> post(String body) throws Exception {
        return post("application/json", body);
    }

    private HttpResponse<String> post(String type, String body) throws Exception {
        return send(
                as("alice", "/v1/things")
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(as("alice", path));
    }

    private HttpResponse<String> delete(String caller) throws Exception {
        return send(as(caller, "/v1/things/a").DELETE());
    }

    private HttpRequest.Builder as(String caller, String path) {
        return HttpRequest.newBuilder(URI.create(listener.address() + path))
                .header("Authorization", "Bearer " + caller);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
