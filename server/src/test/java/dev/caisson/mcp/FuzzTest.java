package dev.caisson.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.mcp.server.Codec;
import dev.caisson.rpc.MetaMember;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Valid requests of both eras, spoiled at random. Whatever comes, the answer is one the protocol
/// has, says nothing of our insides, and the next caller is served.
class FuzzTest {
    private static final int ROUNDS = 1_500;
    private static final Set<Integer> STATUSES = Set.of(200, 202, 400, 404, 406, 413, 415);
    private static final Set<Integer> CODES =
            Set.of(
                    -32700,
                    -32600,
                    -32601,
                    -32602,
                    -32603,
                    -32002,
                    -32020,
                    -32021,
                    -32022,
                    Codec.TOO_LARGE,
                    Codec.NO_CAPACITY,
                    Codec.CONFLICT);
    private static final List<String> SEEDS =
            List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"x\":[1,{\"y\":null}]}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"requestState\":\"s\",\"inputResponses\":{\"who\":{\"action\":\"accept\"}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"n\",\"version\":\"1\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"v\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/read\",\"params\":{\"uri\":\"x:1\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"prompts/get\",\"params\":{\"name\":\"p\",\"arguments\":{\"a\":\"b\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"t\"}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"action\":\"accept\"}}");
    private static final List<String> HEADERS =
            List.of("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id", "Accept");
    private static final List<String> HEADER_VALUES =
            List.of(
                    "",
                    "*/*",
                    "2025-11-25",
                    "2026-07-28",
                    "1999-01-01",
                    "=?base64?!?=",
                    "=?base64??=",
                    "tools/list",
                    "x".repeat(2_000),
                    "text/event-stream;q=x",
                    ";;,,");

    private final SplittableRandom random;

    FuzzTest() {
        long seed = System.nanoTime();
        System.out.println("FuzzTest seed " + seed);
        random = new SplittableRandom(seed);
    }

    @Test
    void whatever_comes_the_answer_is_one_the_protocol_has() throws Exception {
        int answered = 0;
        try (var server = new TestServer();
                var alice = new TestClient(server, "alice")) {
            for (int n = 0; n < ROUNDS; n++) {
                var body = random.nextInt(10) == 0 ? torn(message()) : message();
                answered += check(alice, request(alice, body), body);
            }
            assertThat(alice.answer(alice.modernTool("1", "echo")).has("result")).isTrue();
            assertThat(alice.answer(alice.legacyTool("1", "echo")).has("result")).isTrue();
            assertThat(server.metrics.faults().get()).as("faults of our own").isZero();
        }
        assertThat(answered).isGreaterThan(ROUNDS / 2);
    }

    private HttpRequest.Builder request(TestClient client, String body) {
        var request =
                client.post("/mcp", body)
                        .setHeader("Accept", "application/json, text/event-stream");
        if (random.nextBoolean()) {
            request.setHeader("MCP-Protocol-Version", "2026-07-28");
            request.setHeader("Mcp-Method", methodOf(body));
        }
        if (random.nextInt(4) == 0) {
            request.setHeader(any(HEADERS), any(HEADER_VALUES));
        }
        return request;
    }

    /// A header cannot hold everything a body can.
    private static String methodOf(String body) {
        var end = body.indexOf("\",\"params\"");
        var start = body.indexOf("\"method\":\"") + "\"method\":\"".length();
        var word = start < end ? body.substring(start, end) : "";
        return word.matches("[a-z/]{1,60}") ? word : "none";
    }

    private <T> T any(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    private String message() {
        var tree = (ObjectNode) Json.parse(any(SEEDS));
        if (random.nextBoolean() && tree.get("params") instanceof ObjectNode params) {
            var meta = params.putObject("_meta").put(MetaMember.VERSION, "2026-07-28");
            meta.putObject(MetaMember.CAPABILITIES).putObject("elicitation");
        }
        for (int n = random.nextInt(4); n > 0; n--) {
            spoil(tree);
        }
        return Json.text(tree);
    }

    /// Removes or replaces something somewhere in it.
    private void spoil(ObjectNode tree) {
        var objects = new ArrayList<ObjectNode>();
        collect(tree, objects);
        var object = any(objects);
        var names = object.properties().stream().map(member -> member.getKey()).toList();
        if (names.isEmpty() || random.nextInt(6) == 0) {
            object.set("odd", odd());
        } else if (random.nextInt(3) == 0) {
            object.remove(any(names));
        } else {
            object.set(any(names), odd());
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> objects) {
        if (node instanceof ObjectNode object) {
            objects.add(object);
        }
        node.forEach(child -> collect(child, objects));
    }

    private JsonNode odd() {
        return switch (random.nextInt(12)) {
            case 0 -> Json.parse("null");
            case 1 -> Json.parse("[]");
            case 2 -> Json.parse("{}");
            case 3 -> Json.parse("true");
            case 4 -> Json.parse("-1");
            case 5 -> Json.parse("1e400");
            case 6 -> Json.parse("99999999999999999999999999");
            case 7 -> Json.tree("x".repeat(random.nextInt(100_000)));
            case 8 -> Json.tree("\u0000\u2028\ud83d\ude00\"\\\n");
            case 9 -> Json.parse("[".repeat(60) + "]".repeat(60));
            case 10 -> Json.tree("tools/list");
            default -> Json.parse("0.5");
        };
    }

    private String torn(String body) {
        return random.nextBoolean()
                ? body.substring(0, random.nextInt(body.length()))
                : "[".repeat(random.nextInt(3_000)) + body;
    }

    private static int check(TestClient client, HttpRequest.Builder request, String body)
            throws Exception {
        var response = client.send(request);
        var shown = body.substring(0, Math.min(300, body.length())) + " -> " + response.body();
        assertThat(response.statusCode()).as(shown).isIn(STATUSES);
        if (response.statusCode() == 202) {
            return 0;
        }
        assertThat(response.body()).doesNotContain("Exception", "\tat ", "dev.caisson.mcp");
        var answers = client.parse(response);
        assertThat(answers).as(shown).isNotEmpty();
        var last = answers.getLast();
        assertThat(last.path("jsonrpc").stringValue()).as(shown).isEqualTo("2.0");
        assertThat(last.has("result") ^ last.has("error")).as(shown).isTrue();
        if (last.has("error")) {
            assertThat(last.path("error").path("code").intValue()).as(shown).isIn(CODES);
        }
        assertThat(response.body().getBytes(UTF_8).length).isLessThan(1 << 20);
        return 1;
    }
}
