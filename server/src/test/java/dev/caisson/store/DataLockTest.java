package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class DataLockTest {
    @TempDir Path directory;

    @Test
    void a_second_server_in_the_same_process_is_refused_until_the_first_ends() {
        try (var _ = DataLock.take(directory)) {
            assertRefused(ProcessHandle.current().pid());
        }
        DataLock.take(directory).close();
    }

    @Test
    void a_data_directory_that_is_not_there_is_made() {
        var fresh = directory.resolve("new/data");
        DataLock.take(fresh).close();
        assertThat(fresh).isDirectory();
    }

    @Test
    void a_second_server_process_is_refused_until_the_first_is_killed() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classPath = System.getProperty("java.class.path");
        var child =
                new ProcessBuilder(
                                java,
                                "-cp",
                                classPath,
                                Holder.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var output =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("held");
            assertRefused(child.pid());
        } finally {
            child.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
        DataLock.take(directory).close();
    }

    private void assertRefused(long holder) {
        assertThatThrownBy(() -> DataLock.take(directory))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE);
                            assertThat(refusal.sentence())
                                    .contains("process " + holder, directory.toString());
                        });
    }

    /// Takes the lock, says so, and keeps it.
    static final class Holder {
        private Holder() {}

        static void main(String[] args) throws InterruptedException {
            try (var _ = DataLock.take(Path.of(args[0]))) {
                System.out.println("held");
                Thread.sleep(60_000);
            }
        }
    }
}
