package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The product as a process that is killed.
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
}
