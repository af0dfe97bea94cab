package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The product as a process that is killed.
@Tag("root")
class RestartTest {
    @TempDir Path directory;

    @Test
    void a_task_that_was_acknowledged_is_answered_after_the_server_was_killed() throws Exception {
        String task;
        try (var server = new ChildServer(directory, Duration.ofSeconds(1))) {
            var created =
                    server.call(
                            "tools/call",
                            "sandbox_execute",
                            "\"name\":\"sandbox_execute\",\"arguments\":{\"language\":\"bash\","
                                    + "\"code\":\"sleep 600\",\"timeout\":600}");
            assertThat(created.path("result").path("resultType").asString(Json.text(created)))
                    .isEqualTo("task");
            task = created.path("result").path("taskId").stringValue();
            server.kill();
        }
        try (var server = new ChildServer(directory, Duration.ofSeconds(1))) {
            var answer = server.call("tasks/get", task, "\"taskId\":\"%s\"".formatted(task));
            assertThat(answer.path("result").path("status").stringValue()).isEqualTo("failed");
            assertThat(answer.path("result").path("error").path("message").stringValue())
                    .contains("The server stopped while this task was running");
        }
    }

    @Test
    void a_background_run_is_found_after_the_server_was_killed() throws Exception {
        String run;
        try (var server = new ChildServer(directory, Duration.ofSeconds(20))) {
            run =
                    execution(
                            server,
                            "sandbox_execute",
                            "{\"language\":\"bash\",\"code\":\"echo begun; sleep 600\","
                                    + "\"timeout\":600,\"background\":true}",
                            "running");
            var wait = "{\"execution_id\":\"%s\",\"seconds\":0}".formatted(run);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> text(server, "execution_wait", wait).contains("begun"));
            server.kill();
        }
        try (var server = new ChildServer(directory, Duration.ofSeconds(20))) {
            var wait = "{\"execution_id\":\"%s\"}".formatted(run);
            assertThat(execution(server, "execution_wait", wait, "failed")).isEqualTo(run);
            assertThat(text(server, "execution_wait", wait)).contains("begun", "server stopped");
        }
    }

    private static String execution(
            ChildServer server, String tool, String arguments, String status) throws Exception {
        var report = called(server, tool, arguments).path("structuredContent");
        assertThat(report.path("status").asString(Json.text(report))).isEqualTo(status);
        return report.path("execution_id").stringValue();
    }

    private static String text(ChildServer server, String tool, String arguments) throws Exception {
        return called(server, tool, arguments).at("/content/0/text").stringValue();
    }

    private static JsonNode called(ChildServer server, String tool, String arguments)
            throws Exception {
        var params = "\"name\":\"%s\",\"arguments\":%s".formatted(tool, arguments);
        return server.call("tools/call", tool, params).path("result");
    }
}
