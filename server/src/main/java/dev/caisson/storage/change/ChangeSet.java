package dev.caisson.storage.change;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.Node;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.FileChange;
import dev.caisson.storage.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.Lock;

/// Change of several files of a workspace, made whole or not at all. The new contents are written
/// under other names first; then each takes its place in one step, one after the other, while other
/// changes through the server wait. When a step fails, those before it are undone.
public final class ChangeSet {
    private final UntrustedDirectory root;
    private final Lock changes;
    private final CallerWorkers computing;
    private final ChangeJournal journal;

    /// @param changes held while files are compared and take their places
    public ChangeSet(
            UntrustedDirectory root, Lock changes, CallerWorkers computing, ChangeJournal journal) {
        this.root = root;
        this.changes = changes;
        this.computing = computing;
        this.journal = journal;
    }

    /// @param wanted of different paths
    public void make(List<FileChange> wanted) throws IOException, InterruptedException {
        var steps = new ArrayList<ChangeStep>();
        for (var change : wanted) {
            var aside = ".upload-" + UUID.randomUUID();
            boolean removes = change.content().isEmpty();
            steps.add(new ChangeStep(change.path(), aside, removes, Optional.empty()));
        }
        var file = journal.begin();
        var plan = new ChangeJournal.Plan(false, missing(wanted), steps);
        ChangeJournal.write(file, plan);
        try {
            plan.directories().forEach(this::makeDirectory);
            plan = new ChangeJournal.Plan(false, plan.directories(), written(wanted, steps));
            take(file, wanted, plan);
            plan = new ChangeJournal.Plan(true, plan.directories(), plan.steps());
        } finally {
            plan.settle(root);
            Files.deleteIfExists(file);
        }
    }

    /// Directories that are not there yet.
    private List<FilePath> missing(List<FileChange> wanted) {
        var all = new LinkedHashSet<FilePath>();
        for (var change : wanted) {
            var above = new ArrayList<FilePath>();
            var at = change.path().parent();
            while (at.isPresent() && !at.get().isRoot() && isAbsent(at.get())) {
                above.addFirst(at.get());
                at = at.get().parent();
            }
            all.addAll(above);
        }
        return List.copyOf(all);
    }

    private boolean isAbsent(FilePath path) {
        try {
            root.look(path.bytes());
            return false;
        } catch (KernelException failed) {
            return failed.errno() == Errno.ENOENT;
        }
    }

    private void makeDirectory(FilePath path) {
        try (var parent = root.enter(path.parent().orElseThrow().bytes())) {
            parent.makeDirectory(path.nameBytes());
        }
    }

    /// The new contents under their other names.
    private List<ChangeStep> written(List<FileChange> wanted, List<ChangeStep> steps)
            throws IOException {
        var written = new ArrayList<ChangeStep>();
        for (int each = 0; each < steps.size(); each++) {
            var step = steps.get(each);
            var change = wanted.get(each);
            written.add(
                    change.content().isEmpty()
                            ? step
                            : step.written(write(step, change.like(), change.content().get())));
        }
        return written;
    }

    private Node write(ChangeStep step, FilePath like, byte[] content) throws IOException {
        var permissions = permissions(like);
        try (var directory = step.directory(root);
                var channel =
                        permissions.isPresent()
                                ? directory.create(step.asideBytes(), permissions.get())
                                : directory.create(step.asideBytes())) {
            var rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            return directory.look(step.asideBytes());
        }
    }

    private Optional<Integer> permissions(FilePath like) {
        try {
            return Optional.of(root.look(like.bytes())).filter(Node::isFile).map(Node::permissions);
        } catch (KernelException absent) {
            return Optional.empty();
        }
    }

    private void take(Path file, List<FileChange> wanted, ChangeJournal.Plan plan)
            throws IOException, InterruptedException {
        changes.lockInterruptibly();
        try {
            for (var change : wanted) {
                try (var directory = root.enter(change.path().parent().orElseThrow().bytes())) {
                    change.expected().require(directory, change.path(), computing);
                }
            }
            ChangeJournal.write(file, plan);
            try {
                plan.steps().forEach(step -> step.take(root));
                ChangeJournal.write(
                        file, new ChangeJournal.Plan(true, plan.directories(), plan.steps()));
            } catch (IOException | RuntimeException failed) {
                plan.settle(root);
                throw failed;
            }
        } finally {
            changes.unlock();
        }
    }
}
