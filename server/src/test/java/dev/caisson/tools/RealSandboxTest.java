package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.json.Json;
import dev.caisson.runs.Profile;
import dev.caisson.storage.DirectoryWorkspaces;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The tools on the real runtime: bubblewrap, and workspaces that are file systems of their own.
class RealSandboxTest extends RealToolsTestCase {

    private JsonNode python(String code, Optional<String> thread) throws InterruptedException {
        var arguments = Json.object().put("code", code).put("language", "python");
        thread.ifPresent(id -> arguments.put("thread_id", id));
        return report(bench.call("sandbox_execute", Json.text(arguments)));
    }

    @ParameterizedTest
    @CsvSource({
        "python,print(6*7)",
        "node,console.log(6*7)",
        "typescript,const x: number = 6*7; console.log(x)",
        "bash,echo $((6*7))"
    })
    void the_languages_of_the_host_answer(String language, String code) throws Exception {
        var arguments = Json.object().put("code", code).put("language", language);

        var result = bench.call("sandbox_execute", Json.text(arguments));

        assertThat(text(result))
                .isEqualTo("## Execution Result\n\n**stdout:**\n```\n42\n```\n\n**Exit code:** 0");
        var report = report(result);
        assertThat(report.get("duration_ms").intValue()).isPositive();
        assertThat(report.get("memory_peak_bytes").longValue()).isPositive();
    }

    @Test
    void a_thread_keeps_its_files_in_an_image_and_lists_them() throws Exception {
        var thread = Optional.of("kept");
        var first =
                python(
                        "import os; os.makedirs('out/deep'); open('out/deep/a.csv','w').write('1,2');"
                                + " os.symlink('/etc/passwd','link'); os.mkfifo('pipe')",
                        thread);
        var second = python("print(open('/workspace/out/deep/a.csv').read())", thread);

        assertThat(first.get("files")).hasSize(1);
        assertThat(first.get("files").get(0).get("path").stringValue()).isEqualTo("out/deep/a.csv");
        assertThat(second.get("stdout").stringValue()).isEqualTo("1,2\n");
        assertThat(second.get("files").get(0).get("changed").booleanValue()).isFalse();
    }

    @Test
    void without_a_thread_nothing_is_left() throws Exception {
        python("open('/workspace/a','w').write('x')", Optional.empty());

        assertThat(
                        python("import os; print(os.listdir('.'))", Optional.empty())
                                .get("stdout")
                                .stringValue())
                .doesNotContain("'a'");
        assertThat(data.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void a_workspace_that_is_full_is_the_programs_problem() throws Exception {
        var report =
                python(
                        "with open('big','wb') as f:\n  for _ in range(100): f.write(bytes(1<<20))",
                        Optional.of("full"));

        assertThat(report.get("status").stringValue()).isEqualTo("failed");
        assertThat(report.get("stderr").stringValue()).contains("No space left on device");
        assertThat(report.path("advice").asString(""))
                .startsWith("No space is left in the workspa");
    }

    @Test
    void without_a_thread_the_workspace_is_in_memory_and_its_files_are_listed() throws Exception {
        var report =
                python(
                        "import os; os.makedirs('out'); open('out/a.csv','w').write('1,2')\n"
                                + "print([l.split()[2] for l in open('/proc/mounts') if ' /workspace ' in l])",
                        Optional.empty());

        assertThat(report.get("stdout").stringValue()).isEqualTo("['tmpfs']\n");
        assertThat(report.get("files")).hasSize(1);
        assertThat(report.get("files").get(0).get("path").stringValue()).isEqualTo("out/a.csv");
        assertThat(report.get("files").get(0).get("size").longValue()).isEqualTo(3);
        assertThat(report.get("files_kept").booleanValue()).isFalse();
    }

    @Test
    void one_in_memory_that_is_full_is_named_so() throws Exception {
        var report =
                python(
                        "with open('big','wb') as f:\n  for _ in range(100): f.write(bytes(1<<20))",
                        Optional.empty());

        assertThat(report.get("status").stringValue()).isEqualTo("failed");
        assertThat(report.get("stderr").stringValue()).contains("No space left on device");
        assertThat(report.path("advice").asString(""))
                .startsWith("No space is left: without a thread_id /workspace is in memory")
                .contains("32 MiB", "thread_id the workspace is on the disk");
    }

    /// The server would be charged for them.
    @Test
    void input_files_are_not_put_into_memory() throws Exception {
        var arguments =
                Json.object()
                        .put(
                                "code",
                                "print(open('in').read(), [l.split()[2] for l in open('/proc/mounts') if ' /workspace ' in l])")
                        .put("language", "python");
        arguments.putArray("files").addObject().put("path", "in").put("content", "given");

        var report = report(bench.call("sandbox_execute", Json.text(arguments)));

        assertThat(report.get("stdout").stringValue()).isEqualTo("given ['ext4']\n");
    }

    @Test
    void a_plot_is_seen() throws Exception {
        var arguments =
                Json.object()
                        .put(
                                "code",
                                "import base64\nopen('dot.gif','wb').write(base64.b64decode("
                                        + "'R0lGODlhAQABAAAAACwAAAAAAQABAAA='))\nresult={'a':1}")
                        .put("language", "python");

        var result = bench.call("sandbox_execute", Json.text(arguments));

        assertThat(result.content()).hasSize(2);
        assertThat(result.content().get(1)).isInstanceOf(Content.Image.class);
        assertThat(Json.text(report(result).get("result").get("data"))).isEqualTo("{\"a\":1}");
    }

    @Test
    void a_forged_ending_changes_nothing() throws Exception {
        var report =
                python(
                        "import os,sys\nprint('{\"status\":\"success\",\"exit_code\":0}',flush=True)\n"
                                + "os.kill(os.getpid(), 9)",
                        Optional.empty());

        assertThat(report.get("status").stringValue()).isEqualTo("failed");
        assertThat(report.get("signal").stringValue()).isEqualTo("SIGKILL");
        assertThat(report.get("result").get("ok").booleanValue()).isFalse();
    }

    @Test
    void timeout_and_cancel_return_what_was_written_until_then() throws Exception {
        var sleeping = "import time; print('so far',flush=True); time.sleep(600)";
        var timed =
                report(
                        bench.call(
                                "sandbox_execute",
                                Json.text(
                                        Json.object()
                                                .put("code", sleeping)
                                                .put("language", "python")
                                                .put("timeout", 1))));
        assertThat(timed.get("status").stringValue()).isEqualTo("timeout");
        assertThat(timed.get("stdout").stringValue()).isEqualTo("so far\n");

        var reports = new LinkedBlockingQueue<JsonNode>();
        var client = new FakeCall(Caller.LOCAL);
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var arguments = Json.object().put("code", sleeping);
                                reports.add(
                                        report(
                                                bench.call(
                                                        client.call(),
                                                        "sandbox_execute",
                                                        arguments)));
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        await().until(() -> !client.logs.isEmpty());
        caller.interrupt();
        var cancelled = reports.take();
        assertThat(cancelled.get("status").stringValue()).isEqualTo("cancelled");
        assertThat(cancelled.get("stdout").stringValue()).isEqualTo("so far\n");
    }

    @Test
    void a_flood_of_output_is_counted_and_cut() throws Exception {
        var report =
                python(
                        "import sys\nfor _ in range(64): sys.stdout.write('x'*(1<<20))\n"
                                + "sys.stdout.write('end')",
                        Optional.empty());

        assertThat(report.get("stdout_bytes").longValue()).isEqualTo((64L << 20) + 3);
        assertThat(report.get("stdout").stringValue()).endsWith("end").hasSizeLessThan(70_000);
        assertThat(report.get("stdout_stored_bytes").longValue())
                .isEqualTo(ToolBench.OUTPUT.spoolBytes());
    }

    @Test
    void plain_directories_work_as_well(@TempDir Path plain) throws Exception {
        var reduced =
                new ToolBench(
                        plain,
                        sandboxes,
                        new DirectoryWorkspaces(Optional.of(OWNER)),
                        Profile.DEFAULT);
        var arguments = Json.object().put("code", "open('a','w').write('x')").put("thread_id", "t");

        var report = report(reduced.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments));

        assertThat(report.get("files")).hasSize(1);
    }
}
