package dev.caisson.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.store.KilledChild;
import dev.caisson.store.Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A program moves processes and says so once each move returned. It is killed in the middle, and
/// all that it said must be found.
@Timeout(120)
final class KilledProcessTest {
    private static final int ACKNOWLEDGED_ENOUGH = 300;

    @TempDir Path directory;

    @Test
    void nothing_acknowledged_is_lost_when_the_program_is_killed() throws Exception {
        var file = directory.resolve("caisson.db");
        var acknowledged =
                KilledChild.said(ACKNOWLEDGED_ENOUGH, "[0-9a-f]{32}", Child.class, file.toString());
        try (var store = Store.open(file)) {
            var processes = new StoredProcesses(store, Clock.systemUTC());
            assertThat(acknowledged)
                    .allSatisfy(id -> {
                        var found = processes.find(id, "child");
                        assertThat(found).isPresent();
                        assertThat(found.get().state()).isEqualTo("completed");
                        assertThat(processes.history(id)).hasSize(2);
                    });
        }
    }

    /// Writes until it is killed, or long enough for nobody to want more.
    static final class Child {
        private static final int CALLERS = 16;
        private static final int MOVES_EACH_MAX = 2000;

        private Child() {}

        static void main(String[] args) throws InterruptedException {
            try (var store = Store.open(Path.of(args[0]))) {
                var processes = new StoredProcesses(store, Clock.systemUTC());
                var callers = new Thread[CALLERS];
                for (var i = 0; i < CALLERS; i++) {
                    callers[i] = Thread.ofVirtual().start(() -> moveMany(processes));
                }
                for (var caller : callers) {
                    caller.join();
                }
            }
        }

        private static void moveMany(StoredProcesses processes) {
            for (var i = 0; i < MOVES_EACH_MAX; i++) {
                var one =
                        processes.start(Definition.TASK, "child", Json.object(), Optional.empty());
                processes.move(one.id(), "completed", Json.object(), "child", "done");
                System.out.println(one.id());
            }
        }
    }
}
