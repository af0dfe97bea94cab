package dev.caisson.tools;

import static dev.caisson.tools.Bench.structured;
import static dev.caisson.tools.Bench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.Content;
import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.ImageWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The tools on the real runtime: bubblewrap, and workspaces that are file systems of their own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealSandboxTest {
    private static final int OWNER = 1000;

    private Path data;
    private Sandboxes sandboxes;
    private Bench bench;

    @BeforeAll
    void open(@TempDir Path root) throws IOException {
        data = Files.createDirectory(root.resolve("data"));
        // Every user of a sandbox passes through to what it is shown.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        var guests = Path.of("target/guests").toAbsolutePath();
        sandboxes = Sandboxes.open(SandboxSettings.of(root.resolve("sandboxes"), guests));
        assertThat(sandboxes.isolation().refusal()).isEmpty();
        var maker =
                new ImageWorkspaces(new LoopImages(OWNER), new HostDisk(data, 0), 64L << 20, 1000);
        bench = new Bench(data, sandboxes, maker, Profile.DEFAULT);
    }

    @AfterAll
    void close() {
        sandboxes.close();
    }

    private JsonNode python(String code, Optional<String> thread) throws InterruptedException {
        var arguments = Json.object().put("code", code).put("language", "python");
        thread.ifPresent(id -> arguments.put("thread_id", id));
        return structured(bench.call("sandbox_execute", Json.text(arguments)));
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
        var report = structured(result);
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
        assertThat(Json.text(structured(result).get("result").get("data"))).isEqualTo("{\"a\":1}");
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
                structured(
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
        var call = new FakeCall(Caller.LOCAL);
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var arguments = Json.object().put("code", sleeping);
                                reports.add(
                                        structured(bench.call(call, "sandbox_execute", arguments)));
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        await().until(() -> !call.logs.isEmpty());
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
                .isEqualTo(Bench.OUTPUT.spoolBytes());
    }

    @Test
    void plain_directories_work_as_well(@TempDir Path plain) throws Exception {
        var reduced =
                new Bench(
                        plain,
                        sandboxes,
                        new DirectoryWorkspaces(Optional.of(OWNER)),
                        Profile.DEFAULT);
        var arguments = Json.object().put("code", "open('a','w').write('x')").put("thread_id", "t");

        var report =
                structured(reduced.call(new FakeCall(Caller.LOCAL), "sandbox_execute", arguments));

        assertThat(report.get("files")).hasSize(1);
    }
}
