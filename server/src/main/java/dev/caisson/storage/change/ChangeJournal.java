package dev.caisson.storage.change;

import dev.caisson.json.Json;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/// Journal of the changes of several files that are under way in one workspace. One that was broken
/// off when its server was killed is undone when the workspace is opened next.
///
/// A change is a file `<server token>-<uuid>.change` beside the workspace, where no program reaches
/// it; it is written anew at each turn and is gone when the change is over:
///
/// ```
/// {"done": false, "directories": ["a"],
///  "steps": [{"path": "a/f", "aside": ".upload-…", "removes": false, "version": "12 …"}]}
/// ```
///
/// Until `done` the steps are undone, from then on only what is left aside is removed. It is not
/// flushed: it survives the end of the process, as the files do that it is about.
///
/// @param directory of the server's own, in which the workspace is kept
public record ChangeJournal(Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeJournal.class);
    private static final String SUFFIX = ".change";
    private static final String DRAFT = ".draft";

    /// What a change is made of.
    ///
    /// @param directories that are made for it, those above first
    record Plan(boolean done, List<FilePath> directories, List<ChangeStep> steps) {
        Plan {
            directories = List.copyOf(directories);
            steps = List.copyOf(steps);
        }

        String text() {
            var tree = Json.object().put("done", done);
            var paths = tree.putArray("directories");
            directories.forEach(each -> paths.add(each.text()));
            var all = tree.putArray("steps");
            steps.forEach(step -> all.add(step.json()));
            return Json.text(tree);
        }

        static Plan of(String text) {
            var tree = Json.parse(text);
            var directories = new ArrayList<FilePath>();
            tree.path("directories")
                    .forEach(each -> directories.add(new FilePath(each.stringValue())));
            var steps = new ArrayList<ChangeStep>();
            tree.path("steps").forEach(each -> steps.add(ChangeStep.of(each)));
            return new Plan(tree.path("done").booleanValue(), directories, steps);
        }

        /// Leaves the files as they were, or as they are when it is done.
        void settle(UntrustedDirectory root) {
            if (!done) {
                steps.reversed().forEach(step -> attempt(root, step::undo));
            }
            steps.forEach(step -> attempt(root, step::clear));
            if (!done) {
                directories.reversed().forEach(each -> attempt(root, from -> remove(from, each)));
            }
        }

        private static void remove(UntrustedDirectory root, FilePath path) {
            try (var parent = root.enter(path.parent().orElseThrow().bytes())) {
                parent.removeDirectory(path.nameBytes());
            }
        }

        /// What a program changed meanwhile is its own, and stays.
        private static void attempt(UntrustedDirectory root, Consumer<UntrustedDirectory> act) {
            try {
                act.accept(root);
            } catch (KernelException other) {
                LOG.debug("a step of a change is left as it is", other);
            }
        }
    }

    /// A change that begins.
    Path begin() {
        return directory.resolve(ServerToken.own() + "-" + UUID.randomUUID() + SUFFIX);
    }

    static void write(Path file, Plan plan) throws IOException {
        var draft = file.resolveSibling(file.getFileName() + DRAFT);
        try {
            Files.writeString(Files.createFile(draft, OwnerOnly.FILE), plan.text());
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /// Settles what was broken off.
    ///
    /// @param alone whether no other process can have the workspace open; otherwise the changes of
    ///   one that may be alive are left to it
    public void recover(Path files, boolean alone) throws IOException {
        var left = new ArrayList<Path>();
        try (var all = Files.newDirectoryStream(directory, "*" + SUFFIX + "*")) {
            for (var each : all) {
                if (alone || !ServerToken.isAliveIn(each)) {
                    left.add(each);
                }
            }
        } catch (NoSuchFileException none) {
            return;
        }
        for (var each : left) {
            if (each.toString().endsWith(SUFFIX)) {
                settle(each, files);
            }
            Files.deleteIfExists(each);
        }
    }

    private static void settle(Path change, Path files) throws IOException {
        try (var root = UntrustedDirectory.open(files)) {
            Plan.of(Files.readString(change)).settle(root);
            LOG.info("a change that a killed server left was settled: {}", change);
        } catch (JacksonException unreadable) {
            LOG.warn("a change that a killed server left cannot be read: {}", change, unreadable);
        }
    }
}
