package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.CallRecorder;
import dev.caisson.broker.Tool;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.NestSettings;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.sandbox.SettingsForTests;
import dev.caisson.session.SessionLimits;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.MemoryWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Base of tests of the tools over real sandboxes, with workspaces that are file systems.
@Tag("root")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RealToolsTestCase {
    protected static final int OWNER = 1000;

    private final Profile profile;
    private final SessionLimits limits;
    protected Path data;
    protected Sandboxes sandboxes;
    protected ToolBench bench;

    public RealToolsTestCase() {
        this(Profile.DEFAULT, SessionLimits.DEFAULT);
    }

    protected RealToolsTestCase(Profile profile, SessionLimits limits) {
        this.profile = profile;
        this.limits = limits;
    }

    @BeforeAll
    protected final void openSandboxes(@TempDir Path root) throws IOException {
        data = Files.createDirectory(root.resolve("data"));
        // Every user of a sandbox passes through to what it is shown.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        var guests = Path.of("target/guests").toAbsolutePath();
        sandboxes =
                Sandboxes.open(
                        new SettingsForTests(root.resolve("sandboxes"), guests)
                                .nest(
                                        new NestSettings(
                                                runtime(),
                                                NestSettings.Beginning.FORK,
                                                NestSettings.SlotUse.KEEP))
                                .build());
        assertThat(sandboxes.isolation().refusal()).isEmpty();
        bench = bench(data, limits);
    }

    /// What makes the sandboxes.
    protected NestSettings.Maker runtime() {
        return NestSettings.DEFAULT.runtime();
    }

    /// Tools with files of their own over the same sandboxes.
    protected final ToolBench bench(Path files, SessionLimits of) {
        return new ToolBench(files, sandboxes, maker(files), profile, of);
    }

    /// The same, with tools of other servers.
    protected final ToolBench bench(Path files, List<Tool> others, CallRecorder recorder) {
        return new ToolBench(files, sandboxes, maker(files), profile, limits, others, recorder);
    }

    protected static ImageWorkspaces maker(Path files) {
        return new ImageWorkspaces(new LoopImages(OWNER), new HostDisk(files, 0), 64L << 20, 1000)
                .with(new MemoryWorkspaces(32L << 20, 1000, OWNER));
    }

    @AfterAll
    protected final void closeSandboxes() {
        bench.sessions.close();
        sandboxes.close();
    }
}
