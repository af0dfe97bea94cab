package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.share.TestWorkers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers serve from one directory.
@Tag("root")
class SharedDirectoryTest {
    private static final Caller CALLER = Caller.LOCAL;

    @TempDir Path root;

    private Threads server() {
        return new Threads(
                root,
                new ImageWorkspaces(new LoopImages(1000), new HostDisk(root, 0), 16L << 20, 1_000),
                TestWorkers.WORKERS);
    }

    @Test
    void a_thread_is_not_deleted_under_another_server_that_has_it_open() throws Exception {
        try (var one = server();
                var other = server()) {
            var lease = one.acquire(CALLER, "t", "e", Duration.ZERO);
            assertThat(lease.root()).as("opened by its first use").exists();
            var refused = catchThrowableOfType(Refusal.class, () -> other.delete(CALLER, "t"));
            assertThat(refused.reason()).isEqualTo(Reason.CONFLICT);
            assertThat(other.find(CALLER, "t")).isPresent();

            // It stays open for a moment, for which the other one waits.
            lease.close();
            other.delete(CALLER, "t");
            assertThat(one.find(CALLER, "t")).isEmpty();
            try (var again = one.acquire(CALLER, "t", "e", Duration.ZERO)) {
                assertThat(again.fresh()).isTrue();
            }
        }
    }
}
