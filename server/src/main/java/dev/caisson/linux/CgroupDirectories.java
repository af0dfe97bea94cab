package dev.caisson.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The directories that are one group, one per tree it is in: who is inside, and how it ends.
///
/// @param all without repetition, since two controllers can share a tree
record CgroupDirectories(List<Path> all) {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    CgroupDirectories {
        all = all.stream().distinct().toList();
    }

    List<Path> procsFiles() {
        return all.stream().map(directory -> directory.resolve("cgroup.procs")).toList();
    }

    boolean isEmpty() {
        return all.stream().allMatch(directory -> KernelFiles.processes(directory).isEmpty());
    }

    boolean killAll() throws InterruptedException {
        return Pause.until(
                () -> {
                    killOnce();
                    return isEmpty();
                },
                END_MAX);
    }

    boolean remove() throws InterruptedException {
        return Pause.until(
                () -> {
                    killOnce();
                    return all.stream().map(CgroupDirectories::delete).allMatch(gone -> gone);
                },
                END_MAX);
    }

    /// The kernel kills a whole group where it can. Everything that is still seen is then killed
    /// one by one: a launcher may have died after it had joined only some of the trees. A frozen
    /// process cannot start others meanwhile.
    private void killOnce() {
        if (isEmpty()) {
            return;
        }
        attempt("cgroup.kill", "1");
        attempt("freezer.state", "FROZEN");
        for (var directory : all) {
            KernelFiles.processes(directory).forEach(pid -> killMember(directory, pid));
        }
        attempt("freezer.state", "THAWED");
    }

    private void attempt(String name, String text) {
        for (var directory : all) {
            KernelFiles.existing(directory.resolve(name))
                    .ifPresent(file -> KernelFiles.write(file, text));
        }
    }

    /// The number is looked up once more after the process is held: if it is still inside, then
    /// what is held is what was seen.
    private static void killMember(Path directory, int pid) {
        try (var process = PidFd.open(pid)) {
            if (KernelFiles.processes(directory).contains(pid)) {
                process.kill();
            }
        } catch (KernelException gone) {
            if (gone.errno() != Errno.ESRCH) {
                throw gone;
            }
        }
    }

    private static boolean delete(Path directory) {
        try {
            Files.deleteIfExists(directory);
            return true;
        } catch (IOException busy) {
            return false;
        }
    }
}
