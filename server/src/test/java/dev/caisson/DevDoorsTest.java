package dev.caisson;

import static dev.caisson.TestProduct.bash;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a coding agent over MCP of both eras, with real sandboxes.
class DevDoorsTest extends ProductTestCase {
    private static final String LEGACY = "2025-06-18";

    private String key(String... scopes) throws Exception {
        var wanted = Json.object().put("name", "dev");
        for (var scope : scopes) {
            wanted.withArrayProperty("scopes").add(scope);
        }
        var made = product.send(TestProduct.post(product.request("/v1/keys"), wanted));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.parse(made.body()).path("secret").stringValue();
    }

    private JsonNode ask(String key, String revision, String tool, ObjectNode arguments)
            throws Exception {
        var to = product.open("/mcp").header("Authorization", "Bearer " + key);
        var params = McpMessages.tool(tool, arguments);
        var request =
                revision.equals(McpMessages.MODERN)
                        ? McpMessages.modern(to, "tools/call", params)
                        : McpMessages.legacy(to, "tools/call", params)
                                .header("MCP-Protocol-Version", revision);
        return McpMessages.response(product.send(request).body());
    }

    private String text(String key, String revision, String tool, ObjectNode arguments)
            throws Exception {
        var answer = ask(key, revision, tool, arguments);
        assertThat(answer.has("error")).as(answer.toString()).isFalse();
        return answer.at("/result/content/0/text").asString("");
    }

    private static ObjectNode file(String path) {
        return Json.object().put("file_path", path);
    }

    private static ObjectNode find(String pattern) {
        return Json.object().put("pattern", pattern);
    }

    @ParameterizedTest
    @ValueSource(strings = {LEGACY, McpMessages.MODERN})
    void files_are_written_read_edited_and_found_by_both_names(String revision) throws Exception {
        var key = key("files_read", "files_write");
        assertThat(text(key, revision, "Write", file("d/a.py").put("content", "one\ntwo\n")))
                .isEqualTo("wrote 8 bytes to d/a.py");
        assertThat(text(key, revision, "Read", file("/workspace/d/a.py")))
                .isEqualTo("1\tone\n2\ttwo");
        assertThat(
                        text(
                                key,
                                revision,
                                "edit",
                                file("d/a.py").put("old_string", "two").put("new_string", "2")))
                .isEqualTo("replaced 1 occurrence(s) in d/a.py");
        assertThat(text(key, revision, "Glob", find("*.py"))).isEqualTo("d/a.py");
        assertThat(text(key, revision, "grep", find("^2$"))).isEqualTo("d/a.py:2:2");
        var patch =
                "*** Begin Patch\n*** Update File: d/a.py\n-2\n+zwei\n*** Add File: d/b\n+b\n*** End Patch";
        assertThat(text(key, revision, "apply_patch", Json.object().put("patch", patch)))
                .isEqualTo("updated d/a.py\nadded d/b");
        assertThat(
                        ask(key, revision, "patch", Json.object().put("patch", patch))
                                .at("/result/content/0/text")
                                .asString(""))
                .isEqualTo(
                        "d/a.py has this already: nothing to do\nd/b has this already: nothing to do");
        var refused = ask(key, revision, "read", file("../x")).path("result");
        assertThat(refused.path("isError").booleanValue()).isTrue();
        assertThat(refused.at("/content/0/text").asString(""))
                .contains("path is outside the workspace: ../x. Use a path below /workspace.");
    }

    @Test
    void a_key_gets_nowhere_near_the_files_and_marks_of_another() throws Exception {
        var one = key("files_read", "files_write");
        var two = key("files_read", "files_write");
        text(one, LEGACY, "write", file("a").put("content", "mine"));
        assertThat(ask(two, LEGACY, "read", file("a")).toString()).doesNotContain("mine");
        assertThat(ask(two, LEGACY, "grep", find("mine")).toString()).doesNotContain("a:1");
        text(two, LEGACY, "write", file("a").put("content", "other"));
        assertThat(text(one, LEGACY, "read", file("a"))).isEqualTo("1\tmine");
    }

    @Test
    void a_key_of_little_right_reads_or_does_nothing() throws Exception {
        var reader = key("files_read");
        var runner = key("run");
        for (var revision : new String[] {LEGACY, McpMessages.MODERN}) {
            for (var tool :
                    new String[] {"write", "edit", "patch", "Write", "Edit", "apply_patch"}) {
                assertUnknown(ask(reader, revision, tool, file("a").put("content", "x")), tool);
            }
            for (var tool : new String[] {"read", "write", "edit", "glob", "grep", "Read"}) {
                assertUnknown(ask(runner, revision, tool, file("a")), tool);
            }
        }
    }

    private static void assertUnknown(JsonNode answer, String tool) {
        assertThat(answer.at("/error/code").intValue()).as(answer.toString()).isEqualTo(-32602);
        assertThat(answer.at("/error/message").asString("")).startsWith("Unknown tool: " + tool);
    }

    @Test
    void a_program_works_on_files_as_its_agent_does() throws Exception {
        var code =
                """
                from caisson.servers import caisson as own
                own.write(file_path="p/a", content="one\\ntwo\\n", thread_id="inside")
                own.edit(file_path="p/a", old_string="two", new_string="2", thread_id="inside")
                done = own.patch(patch="*** Begin Patch\\n*** Update File: p/a\\n-one\\n+1\\n*** End Patch", thread_id="inside")
                print(done["files"][0]["action"])
                print(own.read(file_path="p/a", plain=True, thread_id="inside")["content"])
                print(own.grep(pattern="2", thread_id="inside")["total_matches"])
                print(own.glob(pattern="**/a", thread_id="inside")["total"])
                """;
        var arguments = Json.object().put("language", "python").put("code", code);
        arguments.putArray("tools").add("caisson.*");
        var done = product.send(product.execute(arguments));
        assertThat(Json.parse(done.body()).path("stdout").asString(""))
                .as(done.body())
                .isEqualTo("updated\n1\n2\n1\n1\n");
        assertThat(text(product.key, LEGACY, "read", file("p/a").put("thread_id", "inside")))
                .isEqualTo("1\t1\n2\t2");
    }

    private void run(String code) throws Exception {
        var done = product.send(product.execute(bash(code).put("thread_id", "default")));
        assertThat(Json.parse(done.body()).path("exit_code").intValue(-1)).as(done.body()).isZero();
    }

    @Test
    void what_a_program_left_to_lead_astray_leads_nowhere() throws Exception {
        run(
                "mkfifo pipe; ln -s /etc/passwd out; ln -s /dev/zero zero; ln -s . loop; ln -s /proc/self/root up;"
                        + " mkdir deep; (cd deep; for i in $(seq 300); do mkdir d; cd d; done; echo needle > f);"
                        + " truncate -s 1G holes");
        for (var path : new String[] {"pipe", "out", "zero", "up/etc/passwd", "holes"}) {
            for (var tool : new String[] {"read", "edit", "write", "patch"}) {
                var arguments = file(path);
                switch (tool) {
                    case "patch" -> {
                        arguments.removeAll();
                        arguments.put(
                                "patch",
                                "*** Begin Patch\n*** Update File: %s\n-root\n+x\n*** End Patch"
                                        .formatted(path));
                    }
                    case "edit" -> arguments.put("old_string", "x").put("new_string", "y");
                    case "write" -> arguments.put("content", "x");
                    default -> arguments.put("limit", 1);
                }
                var answer = ask(product.key, LEGACY, tool, arguments).path("result");
                assertThat(answer.path("isError").booleanValue()).as(path + answer).isTrue();
                assertThat(answer.toString()).contains(path).doesNotContain("root:x:");
            }
        }
        assertThat(text(product.key, LEGACY, "grep", find("needle")))
                .endsWith("/f:1:needle")
                .startsWith("deep/d/");
    }

    @Test
    void files_are_used_while_a_session_and_a_run_have_the_thread() throws Exception {
        var session = bash("x=1; echo one > shared").put("session", true);
        var begun = product.send(product.execute(session.put("thread_id", "busy")));
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(200);
        var shared = file("shared").put("thread_id", "busy");
        assertThat(text(product.key, LEGACY, "read", shared)).isEqualTo("1\tone");
        text(
                product.key,
                LEGACY,
                "edit",
                shared.deepCopy().put("old_string", "one").put("new_string", "two"));
        var seen =
                product.send(
                        product.execute(
                                bash("cat shared; echo $x; chmod 600 shared; echo two > shared")
                                        .put("session", true)
                                        .put("thread_id", "busy")));
        assertThat(seen.body()).contains("two\\n1");
        assertThat(text(product.key, LEGACY, "grep", find("two").put("thread_id", "busy")))
                .isEqualTo("shared:1:two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a*)*b",
                "(a|aa)+$b",
                "(?:a+a+)+y",
                ".*.*.*=.*",
                "(a?){500}a{500}b",
                "[a-z]*[a-z]*[a-z]*[0-9]"
            })
    void an_expression_that_would_never_end_elsewhere_ends(String pattern) throws Exception {
        run("[ -e as ] || head -c 10000000 /dev/zero | tr '\\0' a > as");
        long begun = System.nanoTime();
        var answer = ask(product.key, LEGACY, "grep", find(pattern).put("glob", "as"));
        assertThat(answer.at("/result/isError").asBoolean(false)).as(answer.toString()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(40));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{1000}{1000}{1000}", "((((((", "[z-a]", "(?P<", "\\", "x{999999999}"})
    void an_expression_that_cannot_be_is_refused(String pattern) throws Exception {
        run("true");
        var answer = ask(product.key, LEGACY, "grep", find(pattern)).path("result");
        assertThat(answer.path("isError").booleanValue()).as(answer.toString()).isTrue();
        assertThat(answer.at("/content/0/text").asString("")).contains("pattern");
    }

    @Test
    void half_a_character_breaks_no_answer() throws Exception {
        var half = "a\ud800b";
        for (var arguments : new ObjectNode[] {file(half), file("../" + half)}) {
            var answer = ask(product.key, LEGACY, "read", arguments);
            assertThat(answer.isObject()).isTrue();
            assertThat(answer.path("error").path("code").asInt(0)).isNotEqualTo(-32603);
        }
    }
}
