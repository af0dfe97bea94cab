package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Everything that was acknowledged is there after a backup, taken while the server runs, was
/// restored elsewhere.
@Tag("root")
@Timeout(300)
final class RoundTripTest {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final String MAKE =
            "mkdir -p d/e; head -c 3000000 /dev/urandom > d/e/big; : > empty; echo text > 'a b.txt';"
                    + " chmod 751 'a b.txt'; ln -s /etc/passwd link; ln empty hard";
    private static final String LOOK =
            "cd $PLACE; find . -type f -exec sha256sum {} + | sort;"
                    + " find . ! -name lost+found -printf '%p %m %y %l %s %T@\\n' | grep -v '^\\. ' | sort";

    @TempDir Path directory;

    private final StringWriter said = new StringWriter();
    private final PrintWriter out = new PrintWriter(said);

    private Path place(String name) throws Exception {
        return Files.createDirectories(directory.resolve(name));
    }

    private static HttpResponse<String> ask(
            TestProduct product, String key, String method, String path, String body)
            throws Exception {
        return product.send(
                product.open(path)
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body)));
    }

    private static JsonNode get(TestProduct product, String key, String path) throws Exception {
        var answer = ask(product, key, "GET", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    private static JsonNode run(TestProduct product, String key, String code) throws Exception {
        var body = bash(code).put("thread_id", "t 1");
        body.putArray("volumes").addObject().put("name", "vol").put("access", "write");
        var answer = ask(product, key, "POST", "/v1/sandbox/execute", Json.text(body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    /// Every record, and every output whole.
    private static Map<String, String> records(TestProduct product, String key, JsonNode list)
            throws Exception {
        var all = new TreeMap<String, String>();
        for (var execution : list.path("executions")) {
            var id = execution.path("run_id").asString();
            all.put(id, get(product, key, "/v1/executions/" + id).toString());
            var output = ask(product, key, "GET", "/v1/executions/" + id + "/output", "");
            all.put(id + " output", output.statusCode() + output.body());
        }
        return all;
    }

    @Test
    void what_was_acknowledged_before_a_backup_is_there_after_it_was_restored() throws Exception {
        var from = place("from");
        var backup = directory.resolve("backup");
        Map<String, String> before;
        String key;
        String looked;
        URI link;
        JsonNode list;
        JsonNode volumes;
        try (var product = new TestProduct(from)) {
            key = product.key;
            var made = ask(product, key, "POST", "/v1/volumes", "{\"name\":\"vol\"}");
            assertThat(made.statusCode()).as(made.body()).isLessThan(300);
            run(product, key, MAKE + "; cp -a . /volumes/vol/copy; seq 1 60000");
            looked = run(product, key, look()).path("stdout").asString();
            assertThat(looked).contains("d/e/big", "hard");
            var file = "{\"source\":\"thread\",\"id\":\"t 1\",\"path\":\"a b.txt\"}";
            var download = ask(product, key, "POST", "/v1/files/download", file);
            link = URI.create(Json.parse(download.body()).path("url").asString());
            list = get(product, key, "/v1/executions");
            before = records(product, key, list);
            volumes = get(product, key, "/v1/volumes");

            int code = OfflineCommands.backup(product.config.data(), backup, WAIT, false, out);
            assertThat(code).as(said.toString()).isZero();
        }
        var to = place("to");
        var flags = TestProduct.config(to);
        assertThat(OfflineCommands.restore(flags.data(), backup, false, false, out)).isZero();

        try (var product = new TestProduct(to)) {
            assertThat(records(product, key, list)).isEqualTo(before);
            assertThat(get(product, key, "/v1/volumes").toString()).isEqualTo(volumes.toString());
            var moved =
                    product.server.address().resolve(link.getRawPath() + "?" + link.getRawQuery());
            var fetched = product.send(HttpRequest.newBuilder(moved));
            assertThat(fetched.statusCode()).as(fetched.body()).isEqualTo(200);
            assertThat(fetched.body()).isEqualTo("text\n");
            assertThat(run(product, key, look()).path("stdout").asString()).isEqualTo(looked);
            assertThat(OfflineCommands.verify(flags.data(), Optional.empty(), false, out)).isZero();
        }
    }

    /// Of the thread and of the volume.
    private static String look() {
        return "("
                + LOOK.replace("$PLACE", "/workspace")
                + "); ("
                + LOOK.replace("$PLACE", "/volumes/vol")
                + ")";
    }

    private static final String LOST = "\"cause\":\"files_lost\"";

    private static String overMcp(TestProduct product, String key, String source, String id)
            throws Exception {
        var call = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        call.putObject("params")
                .put("name", "files_list")
                .putObject("arguments")
                .put("source", source)
                .put("id", id);
        return product.send(
                        TestProduct.post(product.open("/mcp"), call)
                                .header("Authorization", "Bearer " + key)
                                .header("Accept", "application/json, text/event-stream"))
                .body();
    }

    @Test
    void a_thread_or_volume_whose_files_were_lost_says_so_until_it_is_deleted() throws Exception {
        var from = place("from");
        String key;
        try (var product = new TestProduct(from)) {
            key = product.key;
            ask(product, key, "POST", "/v1/volumes", "{\"name\":\"vol\"}");
            run(product, key, "echo kept > file");
        }
        for (var lost : new String[] {"threads", "volumes"}) {
            var kept = TestProduct.config(from).data().threadsDirectory().resolve(lost);
            Files.move(kept, directory.resolve("lost-" + lost));
        }
        try (var product = new TestProduct(from)) {
            var body = Json.text(bash("ls").put("thread_id", "t 1"));
            var refused = ask(product, key, "POST", "/v1/sandbox/execute", body);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.body()).contains("t 1", "delete the thread");
            assertThat(Json.parse(refused.body()).at("/details/cause").asString(""))
                    .isEqualTo("files_lost");
            assertThat(overMcp(product, key, "thread", "t 1")).contains(LOST);
            assertThat(overMcp(product, key, "volume", "vol")).contains(LOST);
            var list = "{\"source\":\"thread\",\"id\":\"t 1\",\"path\":\"\"}";
            assertThat(ask(product, key, "POST", "/v1/files/list", list).statusCode())
                    .isEqualTo(503);
            var upload = "{\"source\":\"volume\",\"id\":\"vol\",\"path\":\"\"}";
            assertThat(ask(product, key, "POST", "/v1/files/list", upload).statusCode())
                    .isEqualTo(503);
            assertThat(ask(product, key, "GET", "/v1/threads/t%201", "").statusCode())
                    .isEqualTo(503);

            for (var gone : new String[] {"/v1/threads/t%201", "/v1/volumes/vol"}) {
                var deleted = ask(product, key, "DELETE", gone, "");
                assertThat(deleted.statusCode()).as(deleted.body()).isLessThan(300);
            }
            var anew = ask(product, key, "POST", "/v1/sandbox/execute", body);
            assertThat(anew.statusCode()).as(anew.body()).isEqualTo(200);
        }
    }
}
