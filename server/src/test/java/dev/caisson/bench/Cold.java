package dev.caisson.bench;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.Workers;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a sandbox made for one run costs: the same program isolated and bare, in turn, both started
/// by this process.
final class Cold {
    /// Whose workspaces are on disk, as in the product.
    private static final int USER_ON_DISK = 1_000;

    private static final int WARM_UP = 3;

    /// Sandboxes have users of their own, who must be able to pass through.
    private static final Path SANDBOXES = Path.of("/run/caisson/sandboxes");

    private Cold() {}

    /// By language, every round's figures.
    ///
    /// @param bare how long the bare runs took
    record Figures(List<Long> bare, List<ColdRun> isolated) {
        static Figures none() {
            return new Figures(new ArrayList<>(), new ArrayList<>());
        }
    }

    static ColdReport run(Path guests, int rounds) throws IOException, InterruptedException {
        var scratch = Files.createTempDirectory("caisson-cold-");
        var settings = SandboxSettings.of(SANDBOXES, guests);
        try (var workers =
                        new Workers(2, ShareLimit.DEFAULT, Thread.ofPlatform().daemon().factory());
                var sandboxes = Sandboxes.open(settings)) {
            var threads = new Threads(scratch.resolve("threads"), workspaces(settings), workers);
            var hellos = Hello.all(guests);
            play(sandboxes, threads, hellos, scratch, WARM_UP);
            return new ColdReport(play(sandboxes, threads, hellos, scratch, rounds));
        } finally {
            delete(scratch);
        }
    }

    private static void delete(Path scratch) throws IOException {
        try (var files = Files.walk(scratch)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Map<String, Figures> play(
            Sandboxes sandboxes, Threads threads, List<Hello> hellos, Path scratch, int rounds)
            throws IOException, InterruptedException {
        Map<String, Figures> all = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (var hello : hellos) {
                var figures = all.computeIfAbsent(hello.language().word(), _ -> Figures.none());
                figures.bare().add(BareRun.nanos(hello.written(scratch)));
                figures.isolated().add(ColdRun.of(sandboxes, threads, hello));
            }
        }
        return all;
    }

    private static WorkspaceMaker workspaces(SandboxSettings settings) {
        return LoopImages.missing().isEmpty()
                ? new ImageWorkspaces(
                        new LoopImages(USER_ON_DISK),
                        new HostDisk(settings.directory(), HostDisk.RESERVE_DEFAULT),
                        ImageWorkspaces.BYTES_DEFAULT,
                        ImageWorkspaces.FILES_DEFAULT)
                : new DirectoryWorkspaces(Optional.empty());
    }
}
