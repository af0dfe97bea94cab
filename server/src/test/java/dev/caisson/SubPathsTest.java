package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A run that sees one directory of its thread or of a volume, in real sandboxes.
@Timeout(180)
class SubPathsTest extends ProductTestCase {

    SubPathsTest() {
        super("sandbox.workspace_bytes=32MiB", "sandbox.workspace_files=1000");
    }

    @BeforeAll
    void prepare() throws Exception {
        for (var name : List.of("team", "other")) {
            var made =
                    product.send(
                            TestProduct.post(
                                    product.request("/v1/volumes"),
                                    Json.object().put("name", name)));
            assertThat(made.statusCode()).as(made.body()).isLessThan(300);
        }
    }

    private static ObjectNode run(String code, String thread, Map<String, String> subPaths) {
        var arguments = TestProduct.bash(code).put("thread_id", thread);
        if (!subPaths.isEmpty()) {
            arguments.set("sub_paths", Json.tree(subPaths));
        }
        return arguments;
    }

    private static ObjectNode with(ObjectNode arguments, String volume, String access) {
        arguments
                .withArrayProperty("volumes")
                .addObject()
                .put("name", volume)
                .put("access", access);
        return arguments;
    }

    private HttpResponse<String> send(ObjectNode arguments) throws Exception {
        return product.send(product.execute(arguments));
    }

    private JsonNode report(ObjectNode arguments) throws Exception {
        var answer = send(arguments);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.parse(answer.body());
    }

    private String output(ObjectNode arguments) throws Exception {
        return report(arguments).get("stdout").stringValue();
    }

    private void assertRefused(int status, ObjectNode arguments) throws Exception {
        var answer = send(arguments);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"error\":");
    }

    @Test
    void a_run_sees_only_the_directory_it_names_of_its_thread() throws Exception {
        report(
                run(
                        "mkdir -p a/b c; echo in > a/b/file; echo out > a/secret; echo out > top",
                        "one",
                        Map.of()));

        var seen =
                output(
                        run(
                                "pwd; ls -A; cat file; ls -A /workspace/..//workspace;"
                                        + " cat ../a/secret ../top a/secret ../secret 2>/dev/null;"
                                        + " grep -c ' /workspace ' /proc/self/mounts >/dev/null;"
                                        + " mkdir new; echo written > new/file",
                                "one",
                                Map.of("/workspace", "a/b")));

        assertThat(seen).isEqualTo("/workspace\nfile\nin\nfile\n");
        assertThat(output(run("cat a/b/new/file; stat -c %u a/b/new/file", "one", Map.of())))
                .isEqualTo("written\n1000\n");
        assertThat(output(run("find . | sort | tail -1; pwd", "one", Map.of("/workspace", ""))))
                .contains("/workspace");
    }

    @Test
    void a_large_value_is_kept_from_the_directory_the_run_sees() throws Exception {
        var code = "result = 'v' * 200_000";
        var arguments = run(code, "valued", Map.of("/workspace", "deep/er"));
        var result = report(arguments.put("language", "python")).get("result");
        assertThat(result.get("data_stored_bytes").asLong())
                .as(result.toString())
                .isEqualTo(200_002);
        var path = "/workspace/deep/er/result.json";
        assertThat(result.get("data_file").get("path").stringValue()).isEqualTo(path);
        assertThat(result.get("data_note").stringValue()).contains("The file " + path + " has it");
        assertThat(output(run("wc -c < " + path, "valued", Map.of()))).isEqualTo("200002\n");
    }

    @Test
    void the_address_of_its_files_leads_to_that_directory_alone() throws Exception {
        report(run("echo out > plot.svg; echo out > secret", "served", Map.of()));
        var code = "echo in > plot.svg; printf %s \"$FILE_BASE_URL\"";
        var base = output(run(code, "served", Map.of("/workspace", "so ü/x")));

        assertThat(fetch(base + "/plot.svg").body()).isEqualTo("in\n");
        for (var outside : List.of("/secret", "/so%20%C3%BC/x/plot.svg", "/%2e%2e/secret", "/")) {
            assertThat(fetch(base + outside).statusCode()).as(outside).isIn(400, 404);
        }
    }

    private HttpResponse<String> fetch(String url) throws Exception {
        return product.send(HttpRequest.newBuilder(URI.create(url)));
    }

    @Test
    void what_a_run_leaves_is_named_by_its_path_in_the_thread() throws Exception {
        var left = report(run("echo 1 > made.txt", "named", Map.of("/workspace", "deep/er")));
        assertThat(left.get("files").toString()).contains("deep/er/made.txt");
    }

    @Test
    void a_run_sees_only_the_directory_it_names_of_a_volume() throws Exception {
        report(
                with(
                        run(
                                "cd /volumes/team; mkdir -p alice bob; echo a > alice/f; echo b > bob/f",
                                "two",
                                Map.of()),
                        "team",
                        "write"));

        var arguments =
                run(
                        "ls -A /volumes/team; cat /volumes/team/f; ls /volumes/team/../team;"
                                + " echo more > /volumes/team/g",
                        "two",
                        Map.of("team", "alice"));
        assertThat(output(with(arguments, "team", "write"))).isEqualTo("f\na\nf\n");
        var reading =
                run(
                        "ls -A /volumes/team; echo x > /volumes/team/h || echo read-only",
                        "two",
                        Map.of("team", "alice"));
        assertThat(output(with(reading, "team", "read"))).isEqualTo("f\ng\nread-only\n");
        var absent = run("ls -A /volumes/team", "two", Map.of("team", "carol/x"));
        assertRefused(404, with(absent.deepCopy(), "team", "read"));
        assertThat(output(with(absent, "team", "write"))).isEmpty();
        var whole = run("ls -A /volumes/team /volumes/team/carol", "two", Map.of());
        assertThat(output(with(whole, "team", "read")))
                .contains("alice\nbob\ncarol\n")
                .contains("x");
    }

    @Test
    void no_link_is_followed_and_no_way_leads_out() throws Exception {
        report(
                run(
                        "ln -s / root; ln -s dir link; mkdir dir; mkfifo pipe; echo 1 > file",
                        "three",
                        Map.of()));
        for (var path :
                List.of(
                        "root",
                        "root/etc",
                        "link",
                        "link/below",
                        "file",
                        "file/x",
                        "pipe",
                        "..",
                        "dir/../dir",
                        "/etc",
                        "a//b",
                        "a\u0000b")) {
            assertRefused(400, run("ls", "three", Map.of("/workspace", path)));
        }
        assertThat(output(run("ls -A", "three", Map.of("/workspace", "dir")))).isEmpty();
    }

    @Test
    void only_what_a_run_mounts_can_be_narrowed() throws Exception {
        assertRefused(400, run("ls", "four", Map.of("team", "alice")));
        assertRefused(400, with(run("ls", "four", Map.of("team", "a")), "other", "read"));
        var ephemeral = TestProduct.bash("ls");
        ephemeral.putObject("sub_paths").put("/workspace", "a");
        assertRefused(400, ephemeral);
        assertRefused(400, run("ls", "four", Map.of("/workspace", "a")).put("session", true));
        assertRefused(400, run("ls", "four", Map.of("/workspace", "n".repeat(256))));
        assertThat(send(run("ls", "four", Map.of("/workspace", "n".repeat(255)))).statusCode())
                .isEqualTo(200);
        var numbers = run("ls", "four", Map.of());
        numbers.putObject("sub_paths").put("/workspace", 1);
        assertRefused(400, numbers);
    }

    @Test
    void the_number_and_the_size_of_sub_paths_are_limited() throws Exception {
        var many = run("ls", "six", Map.of());
        var places = many.putObject("sub_paths");
        for (var i = 0; i < 18; i++) {
            places.put("v" + i, "a");
        }
        var tooMany = send(many);
        assertThat(tooMany.statusCode()).isEqualTo(400);
        assertThat(tooMany.body()).contains("up to 17 places");
        places.remove("v17");
        assertThat(send(many).body()).contains("the volumes of the run");
        var large = run("ls", "six", Map.of());
        large.putObject("sub_paths").put("/workspace", "a".repeat(32 << 10));
        assertThat(send(large).body()).contains("32768");
    }

    @Test
    void it_works_over_mcp_too() throws Exception {
        report(run("mkdir -p x/y; echo deep > x/y/f", "five", Map.of()));
        var message = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", "tools/call");
        message.putObject("params")
                .put("name", "sandbox_execute")
                .set("arguments", run("cat f", "five", Map.of("/workspace", "x/y")));
        var answer =
                product.send(
                        TestProduct.post(product.request("/mcp"), message)
                                .header("Accept", "application/json"));
        assertThat(answer.body()).contains("deep").contains("\"isError\":false");
    }
}
