package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("root")
@ExtendWith(Rig.Shared.class)
class CloseTest {
    private final Rig rig;

    CloseTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void what_runs_when_the_server_stops_is_cancelled_and_gone() throws Exception {
        var directory = rig.directory().resolve("closing");
        var sandboxes = Sandboxes.open(SandboxSettings.of(directory, Rig.guests()));
        var runner = sandboxes.runners().of(Language.BASH).orElseThrow();
        var output = new Rig.Output();
        var run =
                new Run(
                        "x",
                        runner,
                        "echo begun; sleep 1000",
                        Rig.LIMITS,
                        Map.of(),
                        new Workspace.Directory(rig.workspace()),
                        output);
        var outcome = new CompletableFuture<Outcome>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        outcome.complete(sandboxes.run(run));
                    } catch (InterruptedException | RuntimeException failed) {
                        outcome.completeExceptionally(failed);
                    }
                });
        Awaitility.await().until(() -> output.text(output.stdout).equals("begun\n"));
        sandboxes.close();
        assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Cancelled.class);
        assertThat(directory).isEmptyDirectory();
    }
}
