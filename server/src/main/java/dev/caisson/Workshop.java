package dev.caisson;

import dev.caisson.broker.Tool;
import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Doctor;
import dev.caisson.sandbox.DoctorReport;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.Spool;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.tools.Executions;
import dev.caisson.tools.ListRunners;
import dev.caisson.tools.OutputRead;
import dev.caisson.tools.Profile;
import dev.caisson.tools.RunCode;
import dev.caisson.tools.SandboxExecute;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// What runs code: the sandboxes, what programs leave behind, and the tools in front of both.
final class Workshop implements AutoCloseable {
    private final Sandboxes sandboxes;
    private final Threads threads;
    private final Spool spool;
    private final Profile profile;

    Workshop(Config config) throws IOException {
        sandboxes = Sandboxes.open(RoomSettings.sandboxes(config));
        threads = new Threads(config.data().threadsDirectory(), workspaces(config.sandbox()));
        spool =
                new Spool(
                        config.data().directory(),
                        RoomSettings.output(config.sandbox()),
                        Spool.KEPT_BYTES_DEFAULT);
        profile = RoomSettings.profile(config.sandbox());
    }

    /// What tools say about themselves depends on the runners there are now.
    List<Tool> tools() {
        var executions =
                new Executions(
                        sandboxes,
                        threads,
                        spool,
                        new WorkspaceFiles(WorkspaceFiles.Bounds.DEFAULT),
                        profile);
        return List.of(
                new SandboxExecute(executions, Version.TEXT),
                new RunCode(executions),
                new ListRunners(executions),
                new OutputRead(spool, profile));
    }

    void reload() {
        sandboxes.reload();
    }

    Isolation isolation() {
        return sandboxes.isolation();
    }

    /// Attacks a sandbox of its own and says what holds.
    DoctorReport examine() throws InterruptedException {
        try (var lease = threads.ephemeral()) {
            return new Doctor(sandboxes, lease.workspace()).examine();
        }
    }

    @Override
    public void close() {
        sandboxes.close();
    }

    /// A file system of its own for each workspace where this machine can have it.
    private static WorkspaceMaker workspaces(Config.Sandbox sandbox) {
        return LoopImages.missing().isEmpty()
                ? new ImageWorkspaces(
                        new LoopImages(RoomSettings.USER_ON_DISK),
                        sandbox.workspaceBytes(),
                        sandbox.workspaceFiles())
                : new DirectoryWorkspaces(Optional.empty());
    }
}
