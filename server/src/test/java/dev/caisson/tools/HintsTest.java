package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolSpec;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.DirectoryWorkspaces;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HintsTest {
    @TempDir Path root;

    @Test
    void running_code_reads_nothing_only_destroys_nothing_and_is_no_repetition() {
        var bench =
                new ToolBench(
                        root,
                        new FakeRuns(Language.PYTHON),
                        new DirectoryWorkspaces(Optional.empty()),
                        Profile.DEFAULT);

        for (var name : new String[] {"sandbox_execute", "run_code"}) {
            assertThat(bench.spec(name).hints())
                    .isEqualTo(new ToolSpec.Hints(false, false, false, false));
        }
    }
}
