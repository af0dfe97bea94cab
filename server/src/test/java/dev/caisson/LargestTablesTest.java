package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.executions.Completion;
import dev.caisson.executions.EndNotes;
import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.executions.ExecutionRequest;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.LeftFile;
import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.executions.RunUsage;
import dev.caisson.executions.StreamFigures;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.Keys;
import dev.caisson.identity.Vault;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.model.Author;
import dev.caisson.model.ClassSpec;
import dev.caisson.model.Entities;
import dev.caisson.model.EntityChange;
import dev.caisson.model.ModelLimits;
import dev.caisson.model.Models;
import dev.caisson.model.Space;
import dev.caisson.model.SpaceAccess;
import dev.caisson.model.Spaces;
import dev.caisson.policy.PolicyFile;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.StoredProcesses;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Nothing that was acknowledged makes a restart fail, nor a list afterwards: every table has many
/// rows of the largest size there can be, and the server has little memory.
@Tag("root")
@Tag("slow")
@Timeout(600)
class LargestTablesTest {
    /// A quarter of a machine with 1 GiB.
    private static final String HEAP = "-Xmx256m";

    private static final int ROWS = 200;
    private static final int CODE_BYTES = 1 << 20;
    private static final int METADATA_BYTES = 16 << 10;
    private static final int FORMER_METADATA_BYTES = 7 << 20;
    private static final int RESULT_BYTES = 1 << 20;

    /// Of a key's kept answers and of tasks, which are never in a list.
    private static final int RESULTS = 60;

    @TempDir Path directory;

    @Test
    void a_server_with_the_largest_tables_starts_and_lists_them() throws Exception {
        fill();
        try (var server = new ChildServer(directory, Duration.ofSeconds(30), List.of(HEAP))) {
            for (var round = 0; round < 3; round++) {
                for (var path :
                        List.of(
                                "/v1/executions?limit=200",
                                "/v1/executions?limit=200&all=true",
                                "/v1/executions?limit=200&status=running",
                                "/v1/executions/exe_0/calls?limit=200",
                                "/v1/ledger?limit=200",
                                "/v1/usage?limit=200&by=day,key,tool",
                                "/v1/keys",
                                "/v1/profiles",
                                "/v1/secrets",
                                "/v1/policy?limit=200",
                                "/v1/approvals?limit=200",
                                "/v1/volumes?limit=200",
                                "/v1/threads?limit=200",
                                "/v1/status")) {
                    var answer = server.get(path);
                    assertThat(answer.statusCode()).as(path).isEqualTo(200);
                    assertThat(answer.body().length()).as(path).isLessThan(4 << 20);
                }
            }
            var lists = Json.parse(server.get("/v1/executions?limit=200").body());
            assertThat(lists.path("executions")).hasSize(200);
            var whole = server.get("/v1/executions/exe_0");
            assertThat(whole.statusCode()).isEqualTo(200);
            assertThat(Json.parse(whole.body()).path("metadata").path("k").stringValue())
                    .hasSize(METADATA_BYTES - 8);
            var former = server.get("/v1/executions/exe_former0");
            assertThat(former.statusCode()).isEqualTo(200);
            assertThat(Json.parse(former.body()).hasNonNull("metadata")).isFalse();
            assertThat(Json.text(server.call(Load.run("t", "echo alive")))).contains("alive");
        }
    }

    private void fill() throws Exception {
        try (var store = Store.open(directory.resolve("caisson.db"))) {
            var filled = new TreeSet<String>();
            executions(store);
            former(store);
            filled.addAll(List.of("execution", "execution_line", "process", "process_history"));
            keys(store);
            filled.addAll(List.of("api_key", "key_use"));
            profiles(store);
            filled.addAll(List.of("profile", "quota_use"));
            secrets(store);
            filled.add("secret");
            upstreams(store);
            filled.addAll(List.of("upstream", "upstream_tool"));
            upstreamCalls(store);
            filled.add("tool_call");
            approvals(store);
            filled.add("approval");
            policy(store);
            filled.addAll(List.of("policy_rule", "policy_use"));
            learned(store);
            filled.add("tool_shape");
            authorizations(store);
            filled.addAll(List.of("oauth_client", "oauth_token", "oauth_state"));
            attempts(store);
            filled.add("attempt");
            filled.add("network_use");
            usage(store);
            filled.addAll(List.of("usage_day", "usage_head"));
            environments(store);
            filled.add("environment");
            volumes(store);
            filled.addAll(List.of("volume", "volume_grant"));
            answers(store);
            filled.add("idempotency");
            webhooks(store);
            filled.add("webhook");
            tasks(store);
            threads(store);
            filled.addAll(List.of("server", "thread"));
            ledger(store);
            filled.addAll(List.of("ledger_entry", "ledger_head", "ledger_pending"));
            journals(store);
            filled.add("journal");
            model(store);
            filled.addAll(
                    List.of(
                            "model_number",
                            "space",
                            "space_grant",
                            "model_tx",
                            "model_class",
                            "model_version",
                            "entity",
                            "entity_old",
                            "entity_key",
                            "entity_ref",
                            "entity_word"));
            assertThat(filled).as("every table of the database").isEqualTo(tables(store));
        }
    }

    private static Set<String> tables(Store store) {
        return store.read(handle ->
                handle
                        .query("SELECT name FROM sqlite_master WHERE type = 'table'")
                        .mapTo(String.class)
                        .list()
                        .stream()
                        .filter(name -> !name.startsWith("sqlite_") && !name.startsWith("flyway_"))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static ObjectNode metadata(int bytes) {
        return Json.object().put("k", "x".repeat(bytes - 8));
    }

    private static ExecutionRequest request(ObjectNode metadata) {
        return new ExecutionRequest(
                Optional.of("t".repeat(1024)),
                "python",
                "python 3.14",
                new ExecutionRequest.Allowed(30_000, 1 << 29, 1, 128),
                "sha256:" + "c".repeat(64),
                "sha256:" + "d".repeat(64),
                Optional.empty(),
                Optional.of(metadata),
                IntStream.range(0, 400).mapToObj(i -> "V" + i + "X".repeat(120)).toList(),
                "0123456789abcdef0123456789abcdef",
                ReplyMode.INLINE);
    }

    private static Completion completion() {
        return new Completion(
                new Ended(
                        ExecutionStatus.SUCCESS,
                        Optional.of(0),
                        Optional.empty(),
                        Optional.empty()),
                RunUsage.NOTHING,
                StreamFigures.NOTHING,
                StreamFigures.NOTHING,
                Collections.nCopies(
                        Completion.FILES_MAX,
                        new LeftFile("p".repeat(4095), 1, "text/plain", true)),
                1_000_000,
                Optional.of("sha256:" + "e".repeat(64)),
                0,
                Optional.of(
                        new ReturnedValue(
                                Optional.of(Json.tree("v".repeat(64 << 10))),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(0L))),
                Optional.of(
                        new EndNotes(
                                List.of(
                                        new EndNotes.Form("text/plain", "d".repeat(24_000)),
                                        new EndNotes.Form("text/html", "h".repeat(24_000))),
                                Optional.of("a".repeat(500)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(
                                        Collections.nCopies(
                                                201,
                                                new NetworkUse(
                                                        "h".repeat(253),
                                                        65_535,
                                                        "unreachable",
                                                        1_000_000,
                                                        1L << 30,
                                                        1L << 30,
                                                        "2026-01-01T00:00:00Z",
                                                        "2026-01-01T00:00:01Z"))))));
    }

    private static void executions(Store store) {
        var records = new ExecutionRecords(store, Clock.systemUTC(), true);
        var code = "#".repeat(CODE_BYTES);
        var request = request(metadata(METADATA_BYTES));
        for (var i = 0; i < ROWS; i++) {
            var id = "exe_" + i;
            records.start(id, Caller.LOCAL.id(), request, code, true).awaitNoted();
            if (i % 10 > 0) {
                records.finish(id, completion()).await();
            }
        }
    }

    /// As a version wrote them that had no limit on metadata.
    private static void former(Store store) {
        var records = new ExecutionRecords(store, Clock.systemUTC(), true);
        var large = Json.object();
        large.putArray("k");
        var request = Json.text(Records.tree(request(large)));
        var former =
                request.replace(
                        "\"k\":[]", "\"k\":[" + "0,".repeat(FORMER_METADATA_BYTES / 2) + "0]");
        for (var i = 0; i < 20; i++) {
            var id = "exe_former" + i;
            records.start(id, Caller.LOCAL.id(), request(large), "true", true).awaitNoted();
            records.finish(id, completion()).await();
            store.write(handle ->
                    handle.update("UPDATE execution SET request = :r WHERE process_id = :id")
                            .bind("r", former)
                            .bind("id", id)
                            .execute());
        }
    }

    private static void keys(Store store) {
        var keys = new Keys(store, Clock.systemUTC());
        var volumes =
                IntStream.range(0, StandingVolume.COUNT_MAX)
                        .mapToObj(i -> new StandingVolume("v".repeat(60) + (i + 10), true))
                        .toList();
        for (var i = 0; i < ROWS; i++) {
            keys.create(
                    "k".repeat(KeyRequest.NAME_MAX - 4) + (1000 + i),
                    Set.copyOf(Arrays.asList(Scope.values())),
                    Set.of(),
                    volumes,
                    Optional.empty());
        }
        // Names of toolsets were free before they were checked.
        var longAgo = "[\"%s\"]".formatted("t".repeat(4000));
        store.write(handle ->
                handle.update("UPDATE api_key SET toolsets = :all").bind("all", longAgo).execute());
        store.write(handle ->
                handle.execute(
                        "INSERT INTO key_use (key_id, last_used_at)"
                                + " SELECT id, created_at FROM api_key"));
    }

    /// One of each process there ever was.
    private static void journals(Store store) {
        store.write(handle -> {
            for (int i = 0; i < ROWS; i++) {
                handle.execute(
                        "INSERT INTO journal (name, number) VALUES (?, ?)",
                        "server-%016x.pending".formatted(i),
                        i);
            }
            return ROWS;
        });
    }

    /// More than anybody bakes, with long lists of packages; their directories are gone.
    private static void environments(Store store) {
        var item = "{\"name\":\"%s\",\"version\":\"1\"}".formatted("n".repeat(100));
        var manifest =
                "{\"python\":\"3.11\",\"node\":false,\"packages\":[%s],\"preload\":[],\"bytes\":1}"
                        .formatted(String.join(",", Collections.nCopies(500, item)));
        for (var i = 0; i < 100; i++) {
            insert(
                    store,
                    "environment",
                    Map.of(
                            "name",
                            "e" + i,
                            "hash",
                            "%064x".formatted(i),
                            "manifest",
                            manifest,
                            "baked_at",
                            1L));
        }
    }

    /// As many as there can be, with variables as long as they can be.
    private static void secrets(Store store) {
        var value = "A".repeat((64 << 10) / 3 * 4);
        for (var i = 0; i < Vault.COUNT_MAX; i++) {
            var row = new HashMap<String, Object>();
            row.put("name", "s".repeat(60) + (1000 + i));
            row.put("key_id", "0".repeat(16));
            row.put("nonce", "A".repeat(16));
            row.put("value", value);
            row.put("updated_at", 1L);
            insert(store, "secret", row);
        }
    }

    private static void upstreams(Store store) {
        var word = "w".repeat(60 << 10);
        for (var i = 0; i < 100; i++) {
            var row = new HashMap<String, Object>();
            row.put("id", "u" + i);
            row.put("origin", "database");
            row.put("settings", "{\"url\":\"http://127.0.0.1:1/\"}");
            row.put("take_first", 1L);
            row.put("created_at", 1L);
            row.put("updated_at", 1L);
            row.put("revision", 1L);
            insert(store, "upstream", row);
        }
        for (var i = 0; i < ROWS; i++) {
            var definition =
                    "{\"name\":\"t%d\",\"description\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"
                            .formatted(i, word);
            var row = new HashMap<String, Object>();
            row.put("upstream", "u0");
            row.put("name", "t" + i);
            row.put("state", "approved");
            row.put("hash", "0".repeat(64));
            row.put("definition", definition);
            row.put("approved_hash", "0".repeat(64));
            row.put("approved", definition);
            row.put("python_name", "t" + i);
            row.put("js_name", "t" + i);
            row.put("seen_at", 1L);
            insert(store, "upstream_tool", row);
        }
    }

    private static void profiles(Store store) {
        var value = "v".repeat(16_000);
        var settings =
                "{\"env_vars\":{\"A\":\"%s\"},\"secret_env_vars\":{\"B\":\"%s\"}}"
                        .formatted(value, value);
        for (var i = 0; i < 100; i++) {
            insert(
                    store,
                    "profile",
                    Map.of(
                            "name",
                            "p".repeat(60) + (100 + i),
                            "settings",
                            settings,
                            "changed_at",
                            1L,
                            "revision",
                            1L));
        }
        for (var i = 0; i < ROWS; i++) {
            insert(
                    store,
                    "quota_use",
                    Map.of(
                            "caller",
                            "key:" + i,
                            "quota",
                            "cpu_seconds_per_day",
                            "period",
                            1L,
                            "used",
                            Long.MAX_VALUE));
        }
    }

    private static void volumes(Store store) {
        for (var i = 0; i < ROWS; i++) {
            var id = "vol_" + i;
            var name = "v".repeat(59) + (1000 + i);
            insert(
                    store,
                    "volume",
                    Map.of(
                            "id",
                            id,
                            "name",
                            name,
                            "owner",
                            "key:somebody",
                            "owner_name",
                            "k".repeat(KeyRequest.NAME_MAX),
                            "created_at",
                            1L));
            for (var grantee = 0; grantee < 10; grantee++) {
                insert(
                        store,
                        "volume_grant",
                        Map.of(
                                "volume_id",
                                id,
                                "caller",
                                "key:" + grantee,
                                "access",
                                "read",
                                "granted_at",
                                1L));
            }
        }
    }

    private static void answers(Store store) {
        for (var i = 0; i < RESULTS; i++) {
            insert(
                    store,
                    "idempotency",
                    Map.of(
                            "owner",
                            Caller.LOCAL.id(),
                            "idempotency_key",
                            "i".repeat(250) + i,
                            "digest",
                            "d".repeat(64),
                            "trace_id",
                            "t",
                            "execution_id",
                            "exe_0",
                            "status",
                            200L,
                            "body",
                            Json.text(Json.object().put("k", "x".repeat(RESULT_BYTES))),
                            "bytes",
                            (long) RESULT_BYTES,
                            "created_at",
                            System.currentTimeMillis()));
        }
        insert(
                store,
                "idempotency",
                Map.of(
                        "owner", Caller.LOCAL.id(),
                        "idempotency_key", "without an answer",
                        "digest", "d",
                        "trace_id", "t",
                        "created_at", 1L));
    }

    private static void webhooks(Store store) {
        for (var i = 0; i < RESULTS; i++) {
            insert(
                    store,
                    "webhook",
                    Map.of(
                            "id",
                            "msg_" + i,
                            "execution_id",
                            "exe_" + i,
                            "owner",
                            Caller.LOCAL.id(),
                            "url",
                            "http://127.0.0.1/" + "u".repeat(2000),
                            "body",
                            "{\"data\":\"" + "x".repeat(RESULT_BYTES) + "\"}",
                            "bytes",
                            (long) RESULT_BYTES,
                            "attempts",
                            0L,
                            "due_at",
                            1L));
            insert(
                    store,
                    "webhook",
                    Map.of(
                            "id", "msg_waiting" + i,
                            "execution_id", "exe_" + i,
                            "owner", Caller.LOCAL.id(),
                            "url", "http://127.0.0.1/" + "u".repeat(2000),
                            "attempts", 0L));
        }
    }

    /// Of servers that are gone, whose directories nobody has.
    private static void threads(Store store) {
        for (var i = 0; i < ROWS; i++) {
            var directory = "d".repeat(60) + (1000 + i);
            insert(store, "server", Map.of("id", "s" + i, "directory", directory, "beat", 1L));
            insert(
                    store,
                    "thread",
                    Map.of(
                            "directory",
                            directory,
                            "place",
                            "p".repeat(60) + (1000 + i),
                            "owner",
                            "key:somebody",
                            "thread",
                            "t".repeat(1024),
                            "created_at",
                            1L));
        }
    }

    /// No list of the server shows them yet.
    private static void model(Store store) {
        var spaces = new Spaces(store, Clock.systemUTC(), ModelLimits.DEFAULT);
        for (var i = 0; i < ModelLimits.DEFAULT.spacesPerCaller(); i++) {
            var name = "s".repeat(60) + (100 + i);
            spaces.create(Caller.LOCAL, name, "l".repeat(200));
            for (var grantee = 0; grantee < 10; grantee++) {
                spaces.grant(Caller.LOCAL, name, "key:" + grantee, SpaceAccess.READ);
            }
            classes(store, spaces.open(Caller.LOCAL, name, SpaceAccess.DEFINE));
        }
    }

    private static void classes(Store store, Space space) {
        var models = new Models(store, Clock.systemUTC(), ModelLimits.DEFAULT);
        var author =
                new Author("local", "local", "inside", "t", Optional.empty(), Optional.empty());
        var slots =
                IntStream.range(0, 100)
                        .mapToObj(i ->
                                "{\"name\":\"s%d\",\"doc\":\"%s\"}".formatted(i, "d".repeat(1000)))
                        .collect(Collectors.joining(","));
        var classes =
                IntStream.range(0, 20)
                        .mapToObj(i ->
                                ClassSpec.read(
                                        Json.parse(
                                                "{\"name\":\"large/C%d\",\"slots\":[%s]}"
                                                        .formatted(i, slots))))
                        .toList();
        models.define(space, author, classes);
        var entities = new Entities(store, Clock.systemUTC(), ModelLimits.DEFAULT, models);
        var title = Json.object().put("title", "t".repeat(1000)).put("text", "w ".repeat(100_000));
        for (var i = 0; i < 5; i++) {
            entities.apply(space, author, List.of(note("n" + i, title)));
            entities.apply(
                    space,
                    author,
                    List.of(
                            note(
                                    "m" + i,
                                    title.deepCopy().put("expires_at", "2026-01-01T00:00:00Z"))));
            entities.apply(
                    space,
                    author,
                    List.of(
                            new EntityChange.Update(
                                    "n" + i,
                                    (ObjectNode) Json.parse("{\"about\":[\"m%d\"]}".formatted(i)),
                                    false,
                                    Optional.empty())));
        }
    }

    private static EntityChange note(String ident, ObjectNode attributes) {
        return new EntityChange.Create(
                "core/Note", attributes, Optional.of(ident), EntityChange.OnConflict.REFUSE);
    }

    private static void tasks(Store store) {
        var processes = new StoredProcesses(store, Clock.systemUTC());
        var data = Json.object().put("result", "x".repeat(RESULT_BYTES));
        for (var i = 0; i < RESULTS; i++) {
            var task =
                    processes.start(
                            Definition.TASK,
                            Caller.LOCAL.id(),
                            Json.object(),
                            Optional.of(Duration.ofDays(1)));
            if (i % 2 == 0) {
                processes.move(task.id(), "completed", data, "server", "r".repeat(1000));
            }
        }
    }

    /// The form alone matters here, not the chain.
    private static void ledger(Store store) {
        for (var i = 1; i <= ROWS; i++) {
            var text = Stream.of("caller", "door", "tool", "arguments_hash", "status", "trace_id");
            var row =
                    text.collect(
                            Collectors.<String, String, Object>toMap(
                                    name -> name, _ -> "x".repeat(200)));
            row.putAll(Map.of("sequence", (long) i, "at", 1L, "result_bytes", 1L));
            row.putAll(Map.of("duration_micros", 1L, "redactions", 0L));
            row.putAll(Map.of("previous_hash", "0".repeat(64), "hash", "0".repeat(64)));
            row.put("door", "mcp");
            row.put("status", "success");
            insert(store, "ledger_entry", row);
        }
        store.write(handle ->
                handle.update("UPDATE ledger_head SET sequence = :last")
                        .bind("last", ROWS)
                        .execute());
        insert(store, "ledger_pending", Map.of("name", "n".repeat(200), "number", 1L));
    }

    /// Of one execution.
    private static void upstreamCalls(Store store) {
        var tree = Json.text(Json.tree("x".repeat(UpstreamCalls.KEPT_BYTES_MAX - 2)));
        for (var i = 1; i <= ROWS; i++) {
            var row = new HashMap<String, Object>();
            row.put("id", "exe_0." + i);
            row.put("execution_id", "exe_0");
            row.put("number", (long) i);
            row.put("caller", Caller.LOCAL.id());
            row.put("upstream", "u".repeat(40));
            row.put("tool", "t".repeat(260));
            row.put("hash", "h".repeat(64));
            row.put("arguments_hash", "h".repeat(64));
            row.put("arguments", tree);
            row.put("state", "done");
            row.put("effect", "unknown");
            row.put("failed", 0L);
            row.put("result", tree);
            row.put("argument_bytes", (long) tree.length());
            row.put("result_bytes", (long) tree.length());
            row.put("kept_bytes", 2L * tree.length());
            row.put("began_at", System.currentTimeMillis());
            row.put("duration_micros", 1L);
            row.put("protocol_name", "t".repeat(128));
            row.put("door", "sandbox");
            row.put("trusted", 1L);
            row.put("policy", "0".repeat(16));
            row.put("rule", "r".repeat(80));
            insert(store, "tool_call", row);
        }
    }

    private static void approvals(Store store) {
        var processes = new StoredProcesses(store, Clock.systemUTC());
        var details =
                "{\"arguments\":{\"a\":\"%s\"},\"reason\":\"%s\"}"
                        .formatted("x".repeat((16 << 10) - 10), "r".repeat(500));
        for (var i = 0; i < ROWS; i++) {
            var process =
                    processes.start(
                            Definition.APPROVAL,
                            Caller.LOCAL.id(),
                            Json.object(),
                            Optional.of(Duration.ofDays(60)));
            var row = new HashMap<String, Object>();
            row.put("process_id", process.id());
            row.put("execution_id", "exe_0");
            row.put("call_id", "exe_0." + i);
            row.put("caller", Caller.LOCAL.id());
            row.put("upstream", "u".repeat(40));
            row.put("tool", "t".repeat(128));
            row.put("definition_hash", "0".repeat(64));
            row.put("arguments_hash", "h".repeat(80));
            row.put("details", details);
            row.put("expires_at", Long.MAX_VALUE / 2);
            insert(store, "approval", row);
        }
    }

    private static void policy(Store store) {
        for (var i = 0; i < PolicyFile.RULES_MAX; i++) {
            var rule = new HashMap<String, Object>();
            var name = "r".repeat(75) + i;
            rule.put("name", name);
            rule.put("position", (long) i);
            rule.put(
                    "rule",
                    "{\"name\":\"%s\",\"decide\":\"allow\",\"when\":{\"tool\":\"none\",\"arguments\":{\"const\":\"%s\"}}}"
                            .formatted(name, "x".repeat(16_000)));
            rule.put("made_by", "n".repeat(100));
            rule.put("created_at", 1L);
            rule.put("revision", (long) i);
            insert(store, "policy_rule", rule);
            var use = new HashMap<String, Object>();
            use.put("caller", Caller.LOCAL.id());
            use.put("rule", name);
            use.put("period", "d");
            use.put("began_at", System.currentTimeMillis());
            use.put("calls", 1L);
            use.put("result_bytes", 1L);
            insert(store, "policy_use", use);
        }
    }

    private static void learned(Store store) {
        var members = Json.object();
        for (var member = 0; member < 200; member++) {
            members.putObject("m".repeat(60) + member).putObject("types").putArray("string");
        }
        var root = Json.object();
        root.putObject("types").putArray("object").add(9).add(9);
        root.set("members", members);
        var shape = Json.object().put("seen", 9);
        shape.set("root", root);
        for (var i = 0; i < ROWS; i++) {
            var row = new HashMap<String, Object>();
            row.put("upstream", "u".repeat(40));
            row.put("tool", "t".repeat(250) + i);
            row.put("hash", "a".repeat(64));
            row.put("shape", Json.text(shape));
            row.put("seen", 9L);
            row.put("drifted_at", 1L);
            row.put("updated_at", System.currentTimeMillis());
            insert(store, "tool_shape", row);
        }
    }

    private static void authorizations(Store store) {
        for (var i = 0; i < ROWS; i++) {
            var sealed =
                    Map.<String, Object>of(
                            "key_id", "k".repeat(16),
                            "nonce", "n".repeat(16),
                            "value", "v".repeat(64 << 10));
            var client = new HashMap<>(sealed);
            client.put("issuer", "i".repeat(2040) + i);
            client.put("created_at", 1L);
            insert(store, "oauth_client", client);
            var token = new HashMap<>(sealed);
            token.put("upstream", "u".repeat(40));
            token.put("owner", Caller.LOCAL.id());
            token.put("issuer", "i".repeat(2040) + i);
            token.put("expires_at", 1L);
            token.put("updated_at", 1L);
            insert(store, "oauth_token", token);
            var state = new HashMap<>(sealed);
            state.put("state_hash", "s".repeat(60) + i);
            state.put("owner", Caller.LOCAL.id());
            state.put("expires_at", 1L);
            insert(store, "oauth_state", state);
        }
    }

    private static void attempts(Store store) {
        for (var i = 0; i < ROWS; i++) {
            var row = new HashMap<String, Object>();
            row.put("caller", Caller.LOCAL.id());
            row.put("task", "t".repeat(124) + i);
            row.put("failures", 100L);
            row.put("executions", String.join(",", Collections.nCopies(100, "e".repeat(36))));
            row.put("updated_at", System.currentTimeMillis());
            insert(store, "attempt", row);
        }
    }

    /// How far sums go is one row, which is there from the start.
    private static void usage(Store store) {
        long day = System.currentTimeMillis() / Duration.ofDays(1).toMillis();
        for (var i = 0; i < ROWS; i++) {
            var row = new HashMap<String, Object>();
            row.put("day", day);
            row.put("caller", Caller.LOCAL.id());
            row.put("tool", "t".repeat(124) + i);
            for (var sum :
                    List.of(
                            "nested",
                            "calls",
                            "failed",
                            "denied",
                            "unknown",
                            "result_bytes",
                            "duration_micros")) {
                row.put(sum, sum.equals("nested") ? 1L : 1L << 52);
            }
            insert(store, "usage_day", row);
        }
    }

    private static void insert(Store store, String table, Map<String, Object> row) {
        store.write(handle -> inserted(handle, table, row));
    }

    private static int inserted(Transaction handle, String table, Map<String, Object> row) {
        var names = List.copyOf(row.keySet());
        var sql =
                "INSERT INTO %s (%s) VALUES (%s)"
                        .formatted(
                                table,
                                String.join(", ", names),
                                names.stream()
                                        .map(name -> ":" + name)
                                        .collect(Collectors.joining(", ")));
        return handle.update(sql).bindMap(row).execute();
    }
}
