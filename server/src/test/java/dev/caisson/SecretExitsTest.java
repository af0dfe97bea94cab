package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.json.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A program in a real sandbox gets a secret and shows it wherever it can. The value is looked for
/// at every exit of the server: answers, streams, messages, files that are read as text, resources,
/// refusals, records, the ledger, webhooks, and what is on the disk of the database.
class SecretExitsTest extends ProductTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// In JSON and in addresses it is written otherwise than here.
    private static final String SECRET = "o9\"en-Se$ame";

    private static final String MARK = "[REDACTED:secret]";

    private final AtomicInteger threads = new AtomicInteger();

    SecretExitsTest() {
        super("webhooks.private_hosts=localhost");
    }

    private String thread() {
        return "t" + threads.incrementAndGet();
    }

    private static ObjectNode secretly(ObjectNode arguments) {
        arguments.putObject("env_vars").put("MY_TOKEN", SECRET);
        return arguments;
    }

    /// Neither as it is nor as JSON writes it.
    private static void assertClean(String exit, String text) {
        assertThat(text)
                .as(exit)
                .doesNotContain(SECRET)
                .doesNotContain(SECRET.replace("\"", "\\\""))
                .doesNotContain(SECRET.replace("\"", "\\\\\\\""))
                .doesNotContain("o9%22en-Se%24ame");
    }

    private String run(ObjectNode arguments) throws Exception {
        var answer = product.send(product.execute(arguments));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String mcp(String method, String name, ObjectNode params) throws Exception {
        params.putObject("_meta")
                .put("io.modelcontextprotocol/logLevel", "debug")
                .put("progressToken", "p");
        var request = McpMessages.modern(product.request("/mcp"), method, params);
        var answer = product.send(request.setHeader("Mcp-Name", name));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 499);
        return answer.body();
    }

    private String tool(String name, ObjectNode arguments) throws Exception {
        var params = Json.object().put("name", name);
        params.set("arguments", arguments);
        return mcp("tools/call", name, params);
    }

    private static ObjectNode file(String thread, String path) {
        return Json.object().put("source", "thread").put("id", thread).put("path", path);
    }

    private static final String EVERYWHERE =
            """
            echo "$MY_TOKEN"; echo "$MY_TOKEN" >&2
            printf '%s\\n' "$MY_TOKEN" > left.txt
            printf '<svg xmlns="http://www.w3.org/2000/svg"><desc>%s</desc></svg>' "$MY_TOKEN" > p.svg
            : > "name-$MY_TOKEN"
            sleep 1; echo "$MY_TOKEN again"
            """;

    @Test
    void the_answer_of_a_run_and_what_comes_before_it_are_clean_over_both_doors() throws Exception {
        var rest = run(secretly(bash(EVERYWHERE)).put("thread_id", thread()));
        assertClean("REST", rest);
        assertThat(rest).contains(MARK);
        var overMcp =
                tool("sandbox_execute", secretly(bash(EVERYWHERE)).put("thread_id", thread()));
        assertThat(overMcp).contains("notifications/message", MARK);
        assertClean("MCP, with its notifications", overMcp);
    }

    @Test
    void the_streams_of_a_run_are_clean() throws Exception {
        for (var type : new String[] {"application/x-ndjson", "text/event-stream"}) {
            var request = product.execute(secretly(bash(EVERYWHERE))).header("Accept", type);
            var body = product.send(request).body();
            assertThat(body).contains(MARK);
            assertClean(type, body);
        }
    }

    @Test
    void metadata_and_the_program_are_kept_and_shown_without_it() throws Exception {
        var arguments = secretly(bash("true; : '" + SECRET + "'"));
        arguments.putObject("metadata").put("note", "with " + SECRET);
        var answer = run(arguments);
        assertClean("metadata of the answer", answer);
        var id = Json.parse(answer).path("execution_id").stringValue();
        var record = product.send(product.request("/v1/executions/" + id)).body();
        assertThat(record).contains("with " + MARK);
        assertClean("the record", record);
        assertClean("the list", product.send(product.request("/v1/executions")).body());
    }

    @Test
    void a_value_that_a_program_prints_as_json_is_recognised() throws Exception {
        var code = "import os, json; print(json.dumps({'k': os.environ['MY_TOKEN']}))";
        var answer = run(secretly(Json.object().put("language", "python").put("code", code)));
        assertClean("JSON in JSON", answer);
        assertThat(answer).contains(MARK);
    }

    @Test
    void a_file_that_is_read_as_text_is_clean_and_says_so() throws Exception {
        var thread = thread();
        run(secretly(bash(EVERYWHERE)).put("thread_id", thread));

        var text = tool("files_download", file(thread, "left.txt"));
        assertThat(text).contains(MARK).contains("\"redactions\":1");
        assertClean("files_download", text);
        assertClean("an SVG", tool("files_download", file(thread, "p.svg")));
        var list = Json.object().put("source", "thread").put("id", thread);
        var listed = tool("files_list", list.deepCopy());
        assertThat(listed).contains("name-" + MARK);
        assertClean("files_list", listed);
        var overRest =
                product.send(TestProduct.post(product.request("/v1/files/list"), list)).body();
        assertClean("files_list over REST", overRest);
        for (var uri : new String[] {thread, thread + "/left.txt"}) {
            var read = "caisson://thread/" + uri;
            var contents = mcp("resources/read", read, Json.object().put("uri", read));
            assertThat(contents).contains(MARK);
            assertClean("resources/read", contents);
        }
    }

    @Test
    void the_next_program_of_the_key_does_not_show_it_either() throws Exception {
        var thread = thread();
        run(secretly(bash(EVERYWHERE)).put("thread_id", thread));

        var answer = run(bash("cat left.txt").put("thread_id", thread));

        assertThat(Json.parse(answer).path("stdout").stringValue()).isEqualTo(MARK + "\n");
        var code = Json.object().put("conversationId", thread).put("language", "bash");
        assertClean("run_code", tool("run_code", code.put("code", "cat left.txt")));
    }

    @Test
    void output_kept_before_it_was_handed_over_does_not_show_it_either() throws Exception {
        var value = "handed-Over-Later-1";
        var code =
                """
                import sys
                value = '-'.join(['handed', 'Over', 'Later', '1'])
                result = [value] * 9000
                print(value)
                print(value, file=sys.stderr)
                """;
        var before = run(Json.object().put("language", "python").put("code", code));
        assertThat(before).contains(value);
        var id = Json.parse(before).path("execution_id").stringValue();
        assertThat(kept(id)).hasSize(7).allSatisfy(text -> assertThat(text).contains(value));

        otherKeyHandsOver(value);
        assertThat(kept(id)).allSatisfy(text -> assertThat(text).contains(value));
        var given = bash("true");
        given.putObject("env_vars").put("MY_TOKEN", value);
        run(given);

        assertThat(kept(id))
                .allSatisfy(text -> assertThat(text).contains(MARK).doesNotContain(value));
    }

    /// What every door shows of the output and of the value of an execution.
    private List<String> kept(String id) throws Exception {
        var shown = new ArrayList<String>();
        for (var stream : List.of("stdout", "stderr", "both", "data")) {
            var asked = Json.object().put("execution_id", id).put("stream", stream);
            shown.add(tool("output_read", asked));
        }
        var found = Json.object().put("execution_id", id).put("grep", "^.*$");
        shown.add(tool("output_read", found));
        shown.add(product.send(product.request("/v1/executions/" + id + "/result")).body());
        var output = product.request("/v1/executions/" + id + "/output");
        shown.add(product.send(output.header("Accept", "application/x-ndjson")).body());
        return shown;
    }

    private void otherKeyHandsOver(String value) throws Exception {
        var wanted = Json.object().put("name", "another");
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted)).body();
        var key = Json.parse(made).path("secret").stringValue();
        var given = bash("true");
        given.putObject("env_vars").put("MY_TOKEN", value);
        var request = TestProduct.post(product.open("/v1/sandbox/execute"), given);
        var answer = product.send(request.header("Authorization", "Bearer " + key));
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void a_secret_number_leaves_neither_as_a_value_nor_in_metadata() throws Exception {
        var code = "import os; result = {'n': [int(os.environ['PLAIN'])]}";
        var arguments = Json.object().put("language", "python").put("code", code);
        arguments.putObject("env_vars").put("PLAIN", "47110815471108");
        arguments.putArray("secret_env_vars").add("PLAIN");
        arguments.putObject("metadata").put("note", 47110815471108L);

        var answer = run(arguments);

        assertThat(answer).contains(MARK).doesNotContain("47110815471108");
        assertThat(Json.parse(answer).at("/result/data/n/0").stringValue("")).isEqualTo(MARK);
        arguments.put("code", code.replace("]}", "] * 9999}"));
        var id = Json.parse(run(arguments)).path("execution_id").stringValue();
        var kept = tool("output_read", Json.object().put("execution_id", id).put("stream", "data"));
        assertThat(kept).contains(MARK).doesNotContain("47110815471108");
    }

    @Test
    void what_is_named_secret_stays_secret_in_the_next_run() throws Exception {
        var value = "correcthorsebatterystaple";
        var arguments = bash("true");
        arguments.putObject("env_vars").put("PLAIN", value);
        arguments.putArray("secret_env_vars").add("PLAIN");
        run(arguments);

        assertThat(Json.parse(run(bash("echo " + value))).path("stdout").stringValue())
                .isEqualTo(MARK + "\n");
    }

    @Test
    void another_key_has_its_own_secrets() throws Exception {
        var value = "an0ther-Secret";
        var given = bash("true");
        given.putObject("env_vars").put("MY_TOKEN", value);
        run(given);
        var made =
                Json.parse(
                        product.send(
                                        TestProduct.post(
                                                product.request("/v1/keys"),
                                                Json.object().put("name", "other")))
                                .body());
        var key = made.path("secret").stringValue();
        var guess = bash("printf '%s' '" + value + "'");
        var request =
                HttpRequest.newBuilder(URI.create(product.server.address() + "/v1/sandbox/execute"))
                        .header("Authorization", "Bearer " + key);

        var answer = Json.parse(product.send(TestProduct.post(request, guess)).body());

        assertThat(answer.path("stdout").stringValue()).isEqualTo(value);
    }

    @Test
    void a_refusal_does_not_repeat_it() throws Exception {
        for (var wrong :
                new JsonNode[] {
                    secretly(bash("true")).put("language", SECRET),
                    secretly(bash("true")).put(SECRET, 1),
                    secretly(bash("true")).put("timeout", SECRET)
                }) {
            var rest =
                    product.send(TestProduct.post(product.request("/v1/sandbox/execute"), wrong));
            assertThat(rest.statusCode()).isEqualTo(400);
            assertClean("a refusal over REST", rest.body());
            assertClean("a refusal over MCP", tool("sandbox_execute", (ObjectNode) wrong));
        }
        assertClean("no such file", tool("files_download", file(thread(), SECRET)));
    }

    @Test
    void a_refusal_of_any_route_or_method_does_not_repeat_what_is_remembered() throws Exception {
        var value = "remembered-S3same";
        var arguments = bash("true");
        arguments.putObject("env_vars").put("MY_TOKEN", value);
        var thread = thread();
        run(arguments.put("thread_id", thread));

        var download = TestProduct.post(product.request("/v1/files/download"), file(thread, value));
        var refusals =
                List.of(
                        product.send(download).body(),
                        product.send(product.request("/v1/executions/" + value)).body(),
                        product.send(product.request("/v1/keys/" + value).DELETE()).body(),
                        tool(value, Json.object()),
                        mcp(value, value, Json.object()),
                        mcp("prompts/get", value, Json.object().put("name", value)));
        assertThat(refusals).noneMatch(answer -> answer.contains(value));
        assertThat(tool(value, Json.object())).contains("Unknown tool: " + MARK);
        assertThat(mcp(value, value, Json.object())).contains("Method not found: " + MARK);
        // What nobody waits for is in the ledger a moment later.
        await().atMost(Duration.ofMinutes(1)).until(() -> ledger().contains(MARK));
        assertThat(ledger()).doesNotContain(value);
    }

    private String ledger() throws Exception {
        return product.send(product.request("/v1/ledger")).body();
    }

    @Test
    void a_refusal_of_run_code_does_not_repeat_what_its_environment_has() throws Exception {
        var value = "said-for-the-first-time-4711";
        var arguments =
                Json.object()
                        .put("conversationId", thread())
                        .put("language", value)
                        .put("code", "true");
        arguments.putObject("environment").put("DB_PASSWORD", value);
        assertThat(tool("run_code", arguments)).contains("language").doesNotContain(value);
    }

    @Test
    void a_webhook_is_clean() throws Exception {
        var bodies = new LinkedBlockingQueue<String>();
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var receiver = HttpServer.create(loopback, 0);
        receiver.createContext(
                "/",
                exchange -> {
                    var body = exchange.getRequestBody().readAllBytes();
                    bodies.add(new String(body, StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        receiver.start();
        try {
            var url = "http://localhost:" + receiver.getAddress().getPort() + "/";
            var request = product.execute(secretly(bash(EVERYWHERE)).put("webhook_url", url));
            product.send(request.header("Prefer", "respond-async"));
            var body = bodies.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(body).contains(MARK);
            assertClean("a webhook", String.valueOf(body));
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void nothing_that_is_kept_has_it_but_the_files_of_threads() throws Exception {
        var arguments = secretly(bash(EVERYWHERE + ": '" + SECRET + "'"));
        arguments.putObject("metadata").put("note", SECRET);
        run(arguments);

        var ledger = product.send(product.request("/v1/ledger")).body();
        assertThat(ledger).contains("sandbox_execute");
        assertClean("the ledger", ledger);
        var looked = 0;
        try (var files = Files.walk(directory.resolve("data"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (!file.startsWith(product.config.data().threadsDirectory())) {
                    var bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                    assertClean(file.toString(), bytes);
                    looked++;
                }
            }
        }
        assertThat(looked).isPositive();
    }

    @Test
    void what_was_taken_out_is_counted() throws Exception {
        run(secretly(bash("echo \"$MY_TOKEN\"")));

        assertThat(product.send(product.request("/metrics")).body())
                .containsPattern("caisson_redactions_total\\{kind=\"secret\"\\} [1-9]");
    }
}
