package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import dev.caisson.oauth.FakeAuthorization;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Every operation of the OpenAPI document has an example. Each is sent to a server in the order of
/// the file; the answer must have the status and the members that the example has.
@Timeout(300)
class RestExamplesTest extends ProductTestCase {
    private static final String FILE =
            "server/src/main/resources/dev/caisson/rest/route/examples.json";
    private static final Path AS_THEY_ARE = Path.of("target/examples.json");
    private static final int LIST_MAX = 2;

    /// Ids that differ at every run, by operation.
    private final Map<String, String> ids = new HashMap<>();

    private final List<String> differences = new ArrayList<>();

    /// Where the upstream of the examples is.
    private static final String UPSTREAM = "https://mcp.example.org/mcp";

    private final HttpUpstream upstream = new HttpUpstream("forecast", "set_alarm");

    private final FakeAuthorization authorization = new FakeAuthorization();

    RestExamplesTest() throws IOException {
        super("upstreams.private_hosts=127.0.0.1", "approvals.client_wait=0s");
    }

    @AfterAll
    void closeUpstream() throws IOException {
        upstream.close();
        authorization.close();
    }

    @Test
    void every_example_works_and_is_answered_as_it_says() throws Exception {
        var document = product.get("/v1/openapi.json");
        var examples = (ObjectNode) Json.parse(Repository.text(FILE));
        assertThat(new TreeSet<>(examples.propertyNames())).isEqualTo(operations(document));
        assertThat(examples.size()).isGreaterThan(30);

        for (var entry : examples.properties()) {
            send(entry.getKey(), (ObjectNode) entry.getValue(), document);
        }

        Files.writeString(AS_THEY_ARE, Json.pretty(examples) + "\n");
        assertThat(differences)
                .as("if this is wanted: cp server/%s %s", AS_THEY_ARE, FILE)
                .isEmpty();
    }

    private static Set<String> operations(JsonNode document) {
        return document.path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .map(operation -> operation.path("operationId").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void send(String id, ObjectNode example, JsonNode document) throws Exception {
        if (id.equals("cancelExecution")) {
            ids.put(id, started());
        } else if (id.equals("connectUpstream")) {
            var notes = Json.object().put("url", authorization.upstream().toString());
            notes.putObject("credentials").put("kind", "oauth");
            var put =
                    product.request("/v1/upstreams/notes")
                            .header("Content-Type", "application/json")
                            .PUT(BodyPublishers.ofString(Json.text(notes)));
            assertThat(product.send(put).statusCode()).isEqualTo(200);
        } else if (id.equals("listSessions")) {
            var cell = Json.object().put("code", "x = 1").put("thread_id", "talk");
            product.send(product.execute(cell.put("session", true)));
        } else if (id.equals("listUnknownCalls")) {
            unknownCall();
        } else if (id.equals("listApprovals")) {
            var rule = "{\"when\": {\"tool\": \"forecast\"}, \"decide\": \"ask\"}";
            var ask =
                    product.request("/v1/policy/rules/ask")
                            .header("Content-Type", "application/json")
                            .PUT(BodyPublishers.ofString(rule));
            assertThat(product.send(ask).statusCode()).isEqualTo(200);
            var asked =
                    TestProduct.post(
                            product.request("/v1/tools/weather/forecast/call"), Json.object());
            assertThat(product.send(asked).statusCode()).isEqualTo(202);
        } else if (id.equals("listEnvironments")) {
            var bake = "/v1/environments/bakes/" + ids.get("getBake");
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> !"running".equals(product.get(bake).path("state").asString()));
        }
        try (var body = answer(id, example, document)) {
            if (!example.has("response")) {
                return;
            }
            if (example.path("response").isString()) {
                var first = example.path("response").asString().lines().findFirst().orElseThrow();
                var bytes = body.readNBytes(first.length());
                assertThat(new String(bytes, StandardCharsets.UTF_8)).as(id).isEqualTo(first);
                return;
            }
            var actual = Json.parse(body.readAllBytes());
            if (id.equals("connectUpstream")) {
                product.send(product.request("/v1/upstreams/notes").DELETE());
            }
            remember(id, actual);
            var before = differences.size();
            compare(id, example.path("response"), actual, !id.equals("getOpenApi"));
            if (differences.size() > before) {
                example.set("response", shortened(actual));
            }
        }
    }

    private InputStream answer(String id, ObjectNode example, JsonNode document) throws Exception {
        HttpResponse<InputStream> answer = product.bytes(request(id, example, document));
        assertThat(answer.statusCode()).as(id).isEqualTo(example.path("status").asInt());
        return answer.body();
    }

    private HttpRequest.Builder request(String id, ObjectNode example, JsonNode document) {
        for (var path : document.path("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                if (operation.getValue().path("operationId").asString().equals(id)) {
                    return request(
                            operation.getKey(), address(id, path.getKey(), example), example);
                }
            }
        }
        throw new AssertionError("no operation " + id);
    }

    private HttpRequest.Builder request(String verb, String address, ObjectNode example) {
        var body = example.path("request");
        var request = product.request(address);
        if (body.isObject()) {
            request.header("Content-Type", "application/json");
        }
        return request.method(
                verb.toUpperCase(Locale.ROOT),
                body.isObject()
                        ? BodyPublishers.ofString(Json.text(body).replace(UPSTREAM, upstream.url()))
                        : BodyPublishers.noBody());
    }

    private String address(String id, String template, ObjectNode example) {
        var path = template;
        for (var part : example.path("path").properties()) {
            var value = ids.getOrDefault(id, part.getValue().asString());
            path =
                    path.replace(
                            "{" + part.getKey() + "}",
                            part.getKey().equals("name") && !id.startsWith("review")
                                    ? "models"
                                    : value);
        }
        var query = new ArrayList<String>();
        for (var one : example.path("query").properties()) {
            var value = URLEncoder.encode(one.getValue().asString(), StandardCharsets.UTF_8);
            query.add(one.getKey() + "=" + value);
        }
        return query.isEmpty() ? path : path + "?" + String.join("&", query);
    }

    /// As it is when a server was killed.
    private void unknownCall() {
        product.server.core.store.write(handle ->
                handle.execute(
                        """
                        INSERT INTO tool_call
                            (id, execution_id, number, at_file, at_line, caller, upstream, tool, hash,
                             arguments_hash, arguments, state, effect, failed, error, argument_bytes,
                             kept_bytes, began_at, duration_micros)
                        VALUES ('exe_01a1f28ec90a54a68542b6fc65f03484.3',
                             'exe_01a1f28ec90a54a68542b6fc65f03484', 3, '/run/job/main.py', 12, 'key:x',
                             'till', 'pay', 'ab', 'cd', '{"number":7}', 'unknown', 'write', 1,
                             'refused:outcome_unknown', 12, 12, 1795167000120, 60003100)
                        """));
    }

    /// The execution and the key that later examples are about.
    private void remember(String id, JsonNode answer) {
        if (id.equals("execute")) {
            for (var later : List.of("getExecution", "getOutput", "getResult", "listCalls")) {
                ids.put(later, answer.path("execution_id").asString());
            }
        } else if (id.equals("bakeEnvironment")) {
            ids.put("getBake", answer.path("id").asString());
        } else if (id.equals("listSessions")) {
            ids.put("endSession", answer.at("/sessions/0/id").asString());
        } else if (id.equals("listApprovals")) {
            for (var later : List.of("getApproval", "decideApproval")) {
                ids.put(later, answer.at("/approvals/0/id").asString());
            }
        } else if (id.equals("createKey")) {
            for (var later : List.of("grantVolume", "revokeVolume", "revokeKey")) {
                ids.put(later, answer.path("id").asString());
            }
        }
    }

    private String started() throws Exception {
        var answer =
                product.send(
                        product.execute(TestProduct.bash("sleep 60"))
                                .header("Prefer", "respond-async"));
        return Json.parse(answer.body()).path("execution_id").asString();
    }

    /// Values differ from run to run, members do not. What is null in one of them says nothing.
    private void compare(String where, JsonNode example, JsonNode actual, boolean whole) {
        if (example.isNull() || actual.isNull()) {
            return;
        }
        if (example.getNodeType() != actual.getNodeType()) {
            differences.add(where + " is now " + actual.getNodeType());
        } else if (example.isObject()) {
            compareMembers(where, example, actual, whole);
        } else if (example.isArray() && !example.isEmpty() && !actual.isEmpty()) {
            compare(where + "/0", example.get(0), actual.get(0), whole);
        }
    }

    private void compareMembers(String where, JsonNode example, JsonNode actual, boolean whole) {
        for (var member : example.properties()) {
            if (!actual.has(member.getKey())) {
                differences.add(where + "/" + member.getKey() + " is gone");
            } else {
                var name = member.getKey();
                compare(where + "/" + name, member.getValue(), actual.path(name), whole);
            }
        }
        for (var name : actual.propertyNames()) {
            if (whole && !example.has(name)) {
                differences.add(where + "/" + name + " is new");
            }
        }
    }

    /// As an example shows it: short lists, no secrets.
    private JsonNode shortened(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                var copy = Json.object();
                object.properties()
                        .forEach(one -> copy.set(one.getKey(), shortened(one.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                var copy = Json.array();
                array.valueStream().limit(LIST_MAX).forEach(one -> copy.add(shortened(one)));
                yield copy;
            }
            default -> node.isString() ? Json.array().add(masked(node.asString())).get(0) : node;
        };
    }

    private String masked(String text) {
        return text.replace(upstream.url(), UPSTREAM)
                .replaceAll("ck_[0-9a-f]{16}_[0-9a-f]{64}", "ck_…")
                .replaceAll("whsec_\\S+", "whsec_…")
                .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:8080")
                .replaceAll("\\?exp=.*", "?exp=…&sig=…");
    }
}
