package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.identity.KeyInfo;
import dev.caisson.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One table of rules, calls and doors: in every cell of a row the verdict is the same, and so is
/// what stands in the ledger.
@Tag("root")
@Timeout(900)
class PolicyParityTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Such as `weather/forecast {}`.
    private record Called(String server, String tool, String arguments) {
        /// As models name it.
        String qualified() {
            return server + "." + tool;
        }

        /// As the list of tools has it.
        String listed() {
            return isOwn() ? tool : server + "__" + tool;
        }

        /// As the ledger has it.
        String recorded() {
            return isOwn() ? tool : server + "/" + tool;
        }

        private boolean isOwn() {
            return server.equals("caisson");
        }
    }

    private static final List<Called> CALLS =
            List.of(
                    new Called("weather", "forecast", "{}"),
                    new Called("weather", "set_alarm", "{}"),
                    new Called("weather", "set_alarm", "{\"repo\":\"prod\"}"),
                    new Called("caisson", "list_runners", "{}"));

    /// What a person does with every call that waits.
    private enum Person {
        ABSENT,
        APPROVES,
        DENIES
    }

    /// @param rule as text; empty for none
    /// @param inFile whether it stands in the policy's file
    /// @param used whether a call of the first tool has used up what the rule allows
    /// @param verdicts for each of the calls; behind `@sandbox` for that door alone
    private record Row(
            String rule, boolean inFile, boolean used, Person person, List<String> verdicts) {
        static Row of(String rule, String... verdicts) {
            return new Row(rule, false, false, Person.ABSENT, List.of(verdicts));
        }

        Row ofFile() {
            return new Row(rule, true, used, person, verdicts);
        }

        Row usedUp() {
            return new Row(rule, inFile, true, person, verdicts);
        }

        Row with(Person other) {
            return new Row(rule, inFile, used, other, verdicts);
        }

        /// Verdict and rule of a call.
        String[] wanted(int call, String door) {
            var each = verdicts.get(call).split(" @sandbox ", -1);
            return each[door.equals("sandbox") ? each.length - 1 : 0].split(" ", 2);
        }
    }

    private static final String OWN = "ok default own";
    private static final String PROD =
            "\"arguments\":{\"properties\":{\"repo\":{\"const\":\"prod\"}},\"required\":[\"repo\"]}";

    private static final List<Row> ROWS =
            List.of(
                    Row.of("", "ok default read", "Denied default", "Denied default", OWN),
                    Row.of("{\"decide\":\"allow\"}", "ok rule", "ok rule", "ok rule", OWN),
                    Row.of(
                            "{\"decide\":\"deny\"}",
                            "Denied rule",
                            "Denied rule",
                            "Denied rule",
                            OWN),
                    Row.of(
                            "{\"decide\":\"allow\",\"when\":{\"caller\":\"agent\",\"tool\":\"set_*\",\"trust\":\"untrusted\"}}",
                            "ok default read",
                            "ok rule",
                            "ok rule",
                            OWN),
                    Row.of(
                            "{\"decide\":\"allow\",\"when\":{\"effect\":[\"write\",\"unknown\"],\"arguments\":{\"required\":[\"repo\"]}}}",
                            "ok default read",
                            "Denied default",
                            "ok rule",
                            OWN),
                    Row.of(
                            "{\"decide\":\"deny\",\"when\":{" + PROD + "}}",
                            "ok default read",
                            "Denied default",
                            "Denied rule",
                            OWN),
                    Row.of(
                            "{\"decide\":\"allow\",\"when\":{\"caller\":\"somebody\"}}",
                            "ok default read",
                            "Denied default",
                            "Denied default",
                            OWN),
                    Row.of(
                                    "{\"decide\":\"allow\",\"budget\":{\"calls\":\"1/d\"}}",
                                    "Budget rule",
                                    "Budget rule",
                                    "Budget rule",
                                    OWN)
                            .usedUp(),
                    // The rule of this name was used once in the row before.
                    Row.of(
                                    "{\"decide\":\"allow\",\"rate\":\"2/d\"}",
                                    "RateLimit rule",
                                    "RateLimit rule",
                                    "RateLimit rule",
                                    OWN)
                            .usedUp(),
                    Row.of(
                            "{\"decide\":\"allow\",\"when\":{\"door\":[\"sandbox\"]}}",
                            "ok default read @sandbox ok rule",
                            "Denied default @sandbox ok rule",
                            "Denied default @sandbox ok rule",
                            OWN),
                    Row.of(
                            "{\"decide\":\"deny\",\"when\":{\"door\":[\"mcp\",\"stdio\",\"rest\"]}}",
                            "Denied rule @sandbox ok default read",
                            "Denied rule @sandbox Denied default",
                            "Denied rule @sandbox Denied default",
                            OWN),
                    Row.of("{\"decide\":\"ask\"}", "ok rule", "ok rule", "ok rule", OWN)
                            .with(Person.APPROVES),
                    Row.of(
                                    "{\"decide\":\"ask\",\"when\":{" + PROD + "}}",
                                    "ok default read",
                                    "Denied default",
                                    "ApprovalDenied rule",
                                    OWN)
                            .with(Person.DENIES),
                    Row.of(
                            "{\"decide\":\"deny\",\"when\":{\"server\":\"caisson\",\"tool\":\"list_runners\"}}",
                            "ok default read",
                            "Denied default",
                            "Denied default",
                            "Denied rule"),
                    Row.of(
                                    "{\"decide\":\"ask\",\"when\":{\"server\":\"caisson\",\"tool\":\"list_runners\"}}",
                                    "ok default read",
                                    "Denied default",
                                    "Denied default",
                                    "ApprovalDenied rule")
                            .with(Person.DENIES),
                    Row.of(
                                    "{\"decide\":\"deny\"}",
                                    "Denied file",
                                    "Denied file",
                                    "Denied file",
                                    OWN)
                            .ofFile(),
                    Row.of("{\"decide\":\"allow\"}", "ok file", "ok file", "ok file", OWN).ofFile(),
                    Row.of(
                                    "{\"decide\":\"ask\",\"when\":{" + PROD + "}}",
                                    "ok rule",
                                    "ok rule",
                                    "ApprovalDenied file",
                                    OWN)
                            .ofFile()
                            .with(Person.DENIES));

    @TempDir Path directory;
    private HttpUpstream remote;
    private TestProduct product;
    private String agent = "";
    private Path file = Path.of("");

    @BeforeEach
    void open() throws Exception {
        remote = new HttpUpstream("forecast", "set_alarm");
        file = Files.writeString(directory.resolve("policy.yaml"), "[]");
        product =
                new TestProduct(
                        directory,
                        "policy.file=" + file,
                        "upstreams.private_hosts=127.0.0.1",
                        "environments.bake=false",
                        "sandbox.detach_after=1s",
                        "policy.default=deny");
        var upstream = Json.object().put("id", "weather").put("url", remote.url());
        upstream.putObject("calls").putObject("forecast").put("effect", "read");
        ok("POST", "/v1/upstreams", upstream.put("approve", true));
        var wanted = Json.object().put("name", "agent");
        wanted.putArray("scopes").add("run").add("tools");
        agent = ok("POST", "/v1/keys", wanted).path("secret").stringValue();
    }

    @AfterEach
    void close() throws Exception {
        product.close();
        remote.close();
    }

    private JsonNode ok(String method, String path, ObjectNode body) throws Exception {
        var request = TestProduct.post(product.request(path), body);
        if (method.equals("PUT")) {
            request.PUT(BodyPublishers.ofString(Json.text(body)));
        }
        var answer = product.send(request);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return Json.parse(answer.body());
    }

    /// What became of each of the calls, by a door.
    @FunctionalInterface
    private interface By {
        List<String> verdicts() throws Exception;
    }

    private static final Set<String> DOORS =
            Set.of(
                    "mcp by name",
                    "mcp by tool_call",
                    "stdio",
                    "rest",
                    "sandbox",
                    "sandbox in a task");

    private Map<String, By> doors() {
        var doors = new LinkedHashMap<String, By>();
        doors.put("mcp by name", () -> each(this::byName));
        doors.put("mcp by tool_call", () -> each(this::byToolCall));
        doors.put("stdio", () -> each(this::byStdio));
        doors.put("rest", () -> each(this::byRest));
        doors.put("sandbox", this::inside);
        doors.put("sandbox in a task", this::insideTask);
        return doors;
    }

    @FunctionalInterface
    private interface One {
        String verdict(Called call) throws Exception;
    }

    private static List<String> each(One one) throws Exception {
        var verdicts = new ArrayList<String>();
        for (var call : CALLS) {
            verdicts.add(one.verdict(call));
        }
        return verdicts;
    }

    private JsonNode mcp(boolean modern, String tool, ObjectNode arguments) throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + agent);
        var params = McpMessages.tool(tool, arguments);
        var request =
                modern
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params);
        var answer = McpMessages.response(product.send(request).body()).path("result");
        assertThat(answer.isObject()).isTrue();
        return answer;
    }

    /// A tool that promises a schema for its results says what was refused beside them.
    private static String verdict(JsonNode result) {
        if (!result.path("isError").asBoolean(false)) {
            return "ok";
        }
        var beside = result.at("/_meta/dev.caisson~1refusal/error").asString(result.toString());
        return result.at("/structuredContent/error").asString(beside);
    }

    private String byName(Called call) throws Exception {
        return verdict(mcp(true, call.listed(), (ObjectNode) Json.parse(call.arguments())));
    }

    private String byToolCall(Called call) throws Exception {
        var arguments = Json.object().put("tool", call.qualified());
        arguments.set("arguments", Json.parse(call.arguments()));
        return verdict(mcp(false, "tool_call", arguments));
    }

    /// As the command `stdio` speaks it, for the caller of the key.
    private String byStdio(Called call) throws Exception {
        var core = product.server.core;
        var caller =
                core.keys.list().stream()
                        .filter(key -> key.name().equals("agent"))
                        .map(KeyInfo::caller)
                        .map(core.profiles::applied)
                        .findFirst()
                        .orElseThrow();
        var params = McpMessages.tool(call.listed(), (ObjectNode) Json.parse(call.arguments()));
        var in = Pipe.open();
        var out = Pipe.open();
        try (var toServer = Channels.newOutputStream(in.sink());
                var fromServer = Channels.newReader(out.source(), StandardCharsets.UTF_8);
                var lines = new BufferedReader(fromServer)) {
            var serving =
                    CompletableFuture.runAsync(() -> {
                        try (var answers = Channels.newOutputStream(out.sink())) {
                            core.mcp.stdio(caller, Channels.newInputStream(in.source()), answers);
                        } catch (IOException | InterruptedException failed) {
                            throw new IllegalStateException(failed);
                        }
                    });
            var message = McpMessages.modernLine("tools/call", params) + "\n";
            toServer.write(message.getBytes(StandardCharsets.UTF_8));
            toServer.flush();
            var answer = Json.parse(lines.readLine());
            while (!answer.has("id")) {
                answer = Json.parse(lines.readLine());
            }
            in.sink().close();
            serving.get(60, TimeUnit.SECONDS);
            assertThat(answer.path("result").isObject()).as(answer.toString()).isTrue();
            return verdict(answer.path("result"));
        }
    }

    private String byRest(Called call) throws Exception {
        var body = Json.object();
        body.set("arguments", Json.parse(call.arguments()));
        var path = "/v1/tools/%s/%s/call".formatted(call.server(), call.tool());
        var answer =
                product.send(
                        TestProduct.post(
                                product.open(path).header("Authorization", "Bearer " + agent),
                                body));
        return answer.statusCode() == 200
                ? "ok"
                : Json.parse(answer.body()).path("error").asString(answer.body());
    }

    private static ObjectNode program() {
        var calls =
                CALLS.stream()
                        .map(call ->
                                "(\"%s\", \"%s\", %s)"
                                        .formatted(call.server(), call.tool(), call.arguments()))
                        .collect(Collectors.joining(", "));
        return Json.object()
                .put("language", "python")
                .put(
                        "code",
                        """
                        import caisson, importlib
                        for server, tool, arguments in [%s]:
                            module = importlib.import_module("caisson.servers." + server)
                            try:
                                getattr(module, tool)(arguments)
                                print("ok")
                            except caisson.ToolError as error:
                                print(error.type)
                        """
                                .formatted(calls));
    }

    private List<String> inside() throws Exception {
        var answer =
                product.send(
                        TestProduct.post(
                                product.open("/v1/sandbox/execute")
                                        .header("Authorization", "Bearer " + agent),
                                program()));
        return printed(Json.parse(answer.body()));
    }

    private static List<String> printed(JsonNode report) {
        assertThat(report.path("stderr").asString("")).as(report.toString()).isEmpty();
        return report.path("stdout").asString("").lines().toList();
    }

    private List<String> insideTask() throws Exception {
        var lasting = program();
        lasting.put("code", "import time\ntime.sleep(3)\n" + lasting.path("code").stringValue());
        var params = McpMessages.withTasks(McpMessages.tool("sandbox_execute", lasting));
        var begun = modern("tools/call", params);
        assertThat(begun.path("resultType").asString("")).as(begun.toString()).isEqualTo("task");
        var id = Json.object().put("taskId", begun.path("taskId").asString());
        await().atMost(PATIENCE)
                .until(() ->
                        !modern("tasks/get", McpMessages.withTasks(id.deepCopy()))
                                .path("status")
                                .asString("")
                                .equals("working"));
        var ended = modern("tasks/get", McpMessages.withTasks(id.deepCopy()));
        return printed(ended.at("/result/structuredContent"));
    }

    private JsonNode modern(String method, ObjectNode params) throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + agent);
        return McpMessages.response(product.send(McpMessages.modern(to, method, params)).body())
                .path("result");
    }

    /// Entries about the tools since that one, the oldest of them first.
    private List<JsonNode> since(long sequence) throws Exception {
        return product.get("/v1/ledger?limit=200&caller=agent")
                .path("entries")
                .valueStream()
                .filter(entry ->
                        CALLS.stream()
                                .anyMatch(call ->
                                        call.recorded().equals(entry.path("tool").asString(""))))
                .filter(entry -> entry.path("sequence").asLong(0) > sequence)
                .toList()
                .reversed();
    }

    @Test
    void every_door_has_the_same_verdict_and_the_same_record() throws Exception {
        int cells = 0;
        var last = new AtomicLong();
        for (var row : ROWS) {
            put(row);
            if (row.used()) {
                assertThat(byRest(CALLS.getFirst())).isEqualTo("ok");
                await().atMost(PATIENCE).until(() -> !since(last.get()).isEmpty());
                last.set(since(last.get()).getLast().path("sequence").asLong(0));
            }
            var version = product.get("/v1/policy").path("version").stringValue();
            try (var _ = deciding(row.person())) {
                for (var door : doors().entrySet()) {
                    cells += cells(row, door.getKey(), door.getValue(), version, last);
                }
            }
        }
        assertThat(doors().keySet()).isEqualTo(DOORS);
        assertThat(cells).isEqualTo(ROWS.size() * DOORS.size() * CALLS.size()).isEqualTo(432);
    }

    private int cells(Row row, String door, By by, String version, AtomicLong last)
            throws Exception {
        var cell = row.rule() + (row.inFile() ? " of the file" : "") + " by " + door;
        var word = door.replaceAll(" .*", "");
        var verdicts = by.verdicts();
        for (int i = 0; i < CALLS.size(); i++) {
            assertThat(verdicts.get(i)).as(cell).isEqualTo(row.wanted(i, word)[0]);
        }
        await().atMost(PATIENCE).until(() -> since(last.get()).size() >= CALLS.size());
        var entries = since(last.get());
        assertThat(entries).as(cell).hasSize(CALLS.size());
        for (int i = 0; i < CALLS.size(); i++) {
            var wanted = row.wanted(i, word);
            assertThat(recorded(entries.get(i)))
                    .as(cell)
                    .isEqualTo(
                            "%s %s %s %s %s %s"
                                    .formatted(
                                            CALLS.get(i).recorded(),
                                            word,
                                            status(wanted[0]),
                                            wanted[1],
                                            version,
                                            approval(row, wanted)));
        }
        last.set(entries.getLast().path("sequence").asLong(0));
        return CALLS.size();
    }

    /// What the record says of the decision of a person.
    private static String approval(Row row, String[] wanted) {
        boolean asked =
                row.rule().contains("\"ask\"") && wanted[1].equals(row.inFile() ? "file" : "rule");
        if (!asked) {
            return "";
        }
        return row.person() == Person.APPROVES ? "approved" : "denied";
    }

    /// A rule of the file stands before one that allows all calls of the other server.
    private void put(Row row) throws Exception {
        if (row.rule().isEmpty()) {
            return;
        }
        if (!row.inFile()) {
            ok("PUT", "/v1/policy/rules/rule", scoped(row.rule()));
            return;
        }
        ok("PUT", "/v1/policy/rules/rule", scoped("{\"decide\":\"allow\"}"));
        var before = product.get("/v1/policy").path("version");
        var text = Json.text(Json.array().add(scoped(row.rule()).put("name", "file")));
        var written = Files.writeString(file.resolveSibling("policy.new"), text);
        Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        await().atMost(PATIENCE)
                .until(() -> !product.get("/v1/policy").path("version").equals(before));
    }

    /// Other tools, such as those that run programs and call tools, are left alone.
    private static ObjectNode scoped(String text) {
        var rule = (ObjectNode) Json.parse(text);
        if (!rule.at("/when/server").isString()) {
            rule.withObject("/when").put("server", "weather");
        }
        return rule;
    }

    /// A person who decides on every call that waits, until this is closed.
    private AutoCloseable deciding(Person person) {
        if (person == Person.ABSENT) {
            return () -> {};
        }
        var over = new CountDownLatch(1);
        var decision =
                Json.object().put("decision", person == Person.APPROVES ? "approve" : "deny");
        var thread =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                while (!over.await(20, TimeUnit.MILLISECONDS)) {
                                    for (var one : product.get("/v1/approvals").path("approvals")) {
                                        ok(
                                                "POST",
                                                "/v1/approvals/" + one.path("id").stringValue(),
                                                decision);
                                    }
                                }
                            } catch (Exception failed) {
                                throw new IllegalStateException(failed);
                            }
                        });
        return () -> {
            over.countDown();
            thread.join(PATIENCE);
        };
    }

    private static String status(String verdict) {
        return switch (verdict) {
            case "ok" -> "success";
            case "Denied", "ApprovalDenied" -> "refused:denied";
            case "Budget", "RateLimit" -> "refused:quota_exceeded";
            default -> throw new AssertionError(verdict);
        };
    }

    private static String recorded(JsonNode entry) {
        return "%s %s %s %s %s %s"
                .formatted(
                        entry.path("tool").asString(""),
                        entry.path("door").asString(""),
                        entry.path("status").asString(""),
                        entry.path("rule").asString(""),
                        entry.path("policy").asString(""),
                        entry.path("approval").asString(""));
    }
}
