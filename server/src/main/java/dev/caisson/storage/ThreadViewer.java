package dev.caisson.storage;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.SparseFile;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.thread.ThreadIndex;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/// Read-only viewer of threads beside a server that may be running, for its operator. Nothing of a
/// thread is changed: an image is copied first, without its holes, and the copy is opened and
/// erased. Every step in it is by descriptor, and no link of a program leads anywhere.
public final class ThreadViewer {
    private static final String HOLDER = "operator";
    private static final int PAGE = 1000;

    private final Path root;
    private final Optional<WorkspaceMaker> images;
    private final Workers workers;

    /// @param root the directory of threads
    /// @param images opens images, where this machine and user can
    public ThreadViewer(Path root, Optional<WorkspaceMaker> images, Workers workers) {
        this.root = root;
        this.images = images;
        this.workers = workers;
    }

    /// All, by id. One that does not say what it is, because it was not used since threads do, is
    /// without its owner; one that nothing tells of is without an id too.
    public List<ThreadMeta> list() {
        var threads = root.resolve("threads");
        if (!Files.isDirectory(threads)) {
            return List.of();
        }
        try (var directories = Files.newDirectoryStream(threads)) {
            var all = new ArrayList<ThreadMeta>();
            var silent = new ArrayList<String>();
            for (var directory : directories) {
                var name = String.valueOf(directory.getFileName());
                ThreadMeta.read(directory).ifPresentOrElse(all::add, () -> silent.add(name));
            }
            if (!silent.isEmpty()) {
                var index = ThreadIndex.described(root);
                silent.stream()
                        .map(name -> index.getOrDefault(name, new ThreadMeta(name, "", "", "", "")))
                        .forEach(all::add);
            }
            all.sort(Comparator.comparing(ThreadMeta::id).thenComparing(ThreadMeta::place));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("threads cannot be listed", e);
        }
    }

    /// @param name its id, or the name of its directory
    /// @throws Refusal NOT_FOUND when there is none; INVALID_ARGUMENT when several callers have one
    public ThreadMeta find(String name) {
        var found =
                list().stream()
                        .filter(one -> one.place().equals(name) || one.id().equals(name))
                        .toList();
        if (found.isEmpty()) {
            throw new Refusal(Reason.NOT_FOUND, "There is no thread " + name + ".");
        }
        if (found.size() > 1) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "Several callers have a thread "
                            + name
                            + ". Name its directory: "
                            + String.join(
                                    ", ",
                                    found.stream()
                                            .map(one -> one.place() + " of " + one.ownerName())
                                            .toList())
                            + ".");
        }
        return found.getFirst();
    }

    /// What is done with the files of a thread.
    @FunctionalInterface
    public interface Look {
        void at(FileTree files) throws IOException, InterruptedException;
    }

    public void look(ThreadMeta thread, Look look) throws IOException, InterruptedException {
        var directory = root.resolve("threads").resolve(thread.place());
        var image = directory.resolve(ImageWorkspaces.IMAGE);
        if (Files.notExists(image)) {
            lookAt(directory.resolve(DirectoryWorkspaces.FILES), look);
            return;
        }
        var opener =
                images.orElseThrow(() ->
                        new Refusal(
                                Reason.UNAVAILABLE,
                                "The files of the thread are in an image, which root alone can open"
                                        + " on a host with loop devices."));
        var copy =
                root.resolve("ephemeral").resolve(ServerToken.own() + "-look-" + UUID.randomUUID());
        try {
            HashedNames.privateDirectory(copy);
            HostTool.run("sync");
            SparseFile.copy(image, copy.resolve(ImageWorkspaces.IMAGE));
            try (var opened = opener.open(copy, HOLDER)) {
                lookAt(opened.root(), look);
            }
        } finally {
            if (Files.exists(copy)) {
                Erasure.erase(copy);
            }
        }
    }

    private void lookAt(Path files, Look look) throws IOException, InterruptedException {
        if (Files.notExists(files)) {
            throw new Refusal(Reason.NOT_FOUND, "The thread has no files.");
        }
        try (var tree =
                new FileTree(
                        files,
                        WalkBounds.ASKED,
                        new ReentrantLock(),
                        () -> {},
                        new CallerWorkers(workers, HOLDER))) {
            look.at(tree);
        }
    }

    /// Writes a regular file out.
    public static void copy(FileTree files, String path, OutputStream to) throws IOException {
        try (var content = files.read(FilePath.parse(path, "/workspace"));
                var from = Channels.newInputStream(content.channel())) {
            from.transferTo(to);
        }
    }

    /// Everything in a directory and below, in the order of the paths.
    public static List<StoredFile> all(FileTree files, String path) throws InterruptedException {
        var directory = FilePath.parse(path, "/workspace");
        var all = new ArrayList<StoredFile>();
        var after = Optional.<String>empty();
        do {
            var page = files.list(directory, true, after, PAGE);
            all.addAll(page.files());
            after = page.next();
        } while (after.isPresent());
        return all;
    }
}
