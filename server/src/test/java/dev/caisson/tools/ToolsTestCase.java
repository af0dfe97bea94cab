package dev.caisson.tools;

import dev.caisson.runs.Profile;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.storage.DirectoryWorkspaces;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Base of tests of the tools over runs that are made up.
public abstract class ToolsTestCase {
    @TempDir protected Path root;
    protected final FakeRuns runs;
    protected ToolBench bench;

    public ToolsTestCase(Language... languages) {
        runs = new FakeRuns(languages);
    }

    @BeforeEach
    protected final void openBench() {
        bench =
                new ToolBench(
                        root, runs, new DirectoryWorkspaces(Optional.empty()), Profile.DEFAULT);
    }
}
