package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.Attachment;
import dev.caisson.linux.IdMap;
import dev.caisson.linux.MemoryMount;
import dev.caisson.linux.MountFlag;
import dev.caisson.linux.MountNamespace;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.TmpfsSize;
import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Late mounts of one sandbox: attaches what [SandboxSpec] says, where and how it says it, and
/// decides nothing.
public final class SandboxMounts implements AutoCloseable {
    private final MountTool tool;
    private final PidFd first;
    private final int user;
    private final IdMap map;
    private Optional<MountNamespace> held = Optional.empty();
    private Optional<MemoryMount> prepared = Optional.empty();

    /// @param user the host's id the sandbox runs as
    SandboxMounts(MountTool tool, SandboxProcesses processes, int user) {
        this(tool, processes.first(), processes.program(), user);
    }

    /// @param first a process in the sandbox's mount namespace
    /// @param mapped one in its user namespace
    public SandboxMounts(MountTool tool, PidFd first, PidFd mapped, int user) {
        this.tool = tool;
        this.first = first;
        this.user = user;
        this.map = IdMap.of(mapped);
    }

    /// Keeps what is mounted until this is closed, so that the end of the sandbox does not wait for
    /// the kernel to take it apart. What is more than memory goes with the sandbox all the same:
    /// others wait for that.
    public void hold() {
        held = Optional.of(MountNamespace.of(first));
    }

    private void letGo() {
        held.ifPresent(MountNamespace::close);
        held = Optional.empty();
    }

    /// Attaches what does not depend on the run.
    public void furnish(List<LateMount> mounts) {
        var covers = new TreeMap<String, Path>();
        for (var mount : mounts) {
            switch (mount) {
                case LateMount.Cover(var target, var source) -> covers.put(target, source);
                case LateMount.Tmpfs(var target, long bytes, long files, var flags) ->
                        tool.attachTmpfs(
                                first,
                                new TmpfsSize(bytes, files, user),
                                Attachment.at(target, flags));
                case LateMount.Terminals(var target, int most) ->
                        tool.limitTerminals(first, target, most);
            }
        }
        if (!covers.isEmpty()) {
            tool.cover(first, covers, SandboxSpec.COVER_FLAGS);
        }
    }

    /// Attaches a workspace in memory that no run has asked for yet. A run that asks for one of
    /// this size gets it, any other is attached over it.
    public void prepare(TmpfsSize size) {
        var made = MemoryMount.make(size);
        prepared = Optional.of(made);
        attach(new Workspace.Image(made), SandboxSpec.WORKSPACE, SandboxSpec.WRITABLE);
        made.keepRoot();
    }

    private boolean isPrepared(Workspace storage, String target) {
        return target.equals(SandboxSpec.WORKSPACE)
                && storage instanceof Workspace.Image(MemoryMount wanted)
                && prepared.filter(wanted::takeOver).isPresent();
    }

    /// Attaches what belongs to one run. Attaches the workspace of a run.
    public void attach(Workspace workspace) {
        attach(SandboxSpec.forRun(workspace));
    }

    void attach(List<RunMount> mounts) {
        for (var mount : mounts) {
            switch (mount) {
                case RunMount.Storage(var target, var storage, var flags) -> {
                    if (!isPrepared(storage, target)) {
                        attach(storage, target, flags);
                    }
                }
                case RunMount.Directories(var target, var names, var flags) ->
                        tool.attachDirectories(first, names, Attachment.at(target, flags));
            }
        }
    }

    /// Shows a directory of the host, to read, at a path that is there.
    public void show(Path directory, String target) {
        tool.attach(first, directory, Attachment.at(target, SandboxSpec.COVER_FLAGS));
    }

    private void attach(Workspace storage, String target, Set<MountFlag> flags) {
        if (!isInMemory(storage)) {
            letGo();
        }
        var as = Attachment.at(target, flags).mapped(map);
        switch (storage) {
            case Workspace.Image(var mount) -> tool.attach(first, mount, as);
            case Workspace.Directory(var path) -> tool.attach(first, path, as);
            case Workspace.OpenedLater _ ->
                    throw new IllegalStateException("a workspace is opened before its sandbox");
            case Workspace.Part(var whole, var path) -> {
                attach(whole, target, flags);
                tool.narrow(first, target, path);
            }
            case Workspace.WithVolumes _ ->
                    throw new IllegalStateException("volumes stand beside a workspace");
        }
    }

    private static boolean isInMemory(Workspace storage) {
        return switch (storage) {
            case Workspace.Image(var mount) -> mount instanceof MemoryMount;
            case Workspace.Part(var whole, _) -> isInMemory(whole);
            case Workspace.Directory _, Workspace.OpenedLater _, Workspace.WithVolumes _ -> false;
        };
    }

    @Override
    public void close() {
        letGo();
        prepared.ifPresent(MemoryMount::close);
        map.close();
    }
}
