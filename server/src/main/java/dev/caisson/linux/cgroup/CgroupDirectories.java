package dev.caisson.linux.cgroup;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.calls.KernelFiles;
import dev.caisson.linux.calls.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Control group as directories, one per tree it is in: who is inside, and how it ends.
///
/// @param all without repetition, since two controllers can share a tree
record CgroupDirectories(List<Path> all) {
    private static final Duration END_MAX = Duration.ofSeconds(10);

    CgroupDirectories {
        all = all.stream().distinct().toList();
    }

    /// Version 1 has a second file to join by, for one thread: a thread that moves itself waits for
    /// nobody, where a process waits some milliseconds in each tree for every processor.
    List<Path> procsFiles() {
        return all.stream()
                .map(directory ->
                        KernelFiles.existing(directory.resolve("tasks"))
                                .orElse(directory.resolve("cgroup.procs")))
                .toList();
    }

    boolean isEmpty() {
        return all.stream().allMatch(directory -> KernelFiles.processes(directory).isEmpty());
    }

    /// What came from one that is inside is in every tree, so one of them tells for all.
    boolean holdOnly(Set<Long> processes) {
        try {
            return Files.readAllLines(all.getFirst().resolve("cgroup.procs")).stream()
                    .map(Long::valueOf)
                    .allMatch(processes::contains);
        } catch (IOException unknown) {
            return false;
        }
    }

    boolean killAll() throws InterruptedException {
        var killed = new HashSet<Integer>();
        return Pause.until(
                () -> {
                    killOnce(killed);
                    return isEmpty();
                },
                END_MAX);
    }

    boolean remove() throws InterruptedException {
        var killed = new HashSet<Integer>();
        return Pause.until(
                () -> {
                    killOnce(killed);
                    return all.stream().map(CgroupDirectories::delete).allMatch(gone -> gone);
                },
                END_MAX);
    }

    /// The kernel kills a whole group where it can. Everything that is still seen is then killed
    /// one by one: a launcher may have died after it had joined only some of the trees. A frozen
    /// process cannot start others meanwhile.
    ///
    /// It cannot die either: on a busy machine one that is frozen again and again never comes to
    /// it. So a group is frozen only for what has not been killed before.
    private void killOnce(Set<Integer> killed) {
        var members = members();
        if (members.isEmpty()) {
            return;
        }
        boolean frozen = !killed.containsAll(members);
        if (frozen) {
            attempt("cgroup.kill", "1");
            attempt("freezer.state", "FROZEN");
        }
        for (var directory : all) {
            for (int pid : KernelFiles.processes(directory)) {
                killMember(directory, pid);
                killed.add(pid);
            }
        }
        thaw();
    }

    boolean canFreeze() {
        return has("freezer.state") || has("cgroup.freeze");
    }

    private boolean has(String name) {
        return all.stream().anyMatch(directory -> Files.exists(directory.resolve(name)));
    }

    /// In version 1 whoever was on his way into the kernel is asked again; in version 2 it says
    /// when all have come to stand.
    boolean freeze() {
        attempt("freezer.state", "FROZEN");
        attempt("cgroup.freeze", "1");
        return says("freezer.state", "FROZEN") || says("cgroup.events", "frozen 1");
    }

    private boolean says(String name, String line) {
        return all.stream()
                .flatMap(directory -> KernelFiles.existing(directory.resolve(name)).stream())
                .anyMatch(file -> KernelFiles.read(file).lines().anyMatch(line::equals));
    }

    /// Somebody else may have frozen it, at any time.
    void thaw() {
        attempt("freezer.state", "THAWED");
        attempt("cgroup.freeze", "0");
    }

    private Set<Integer> members() {
        return all.stream()
                .flatMap(directory -> KernelFiles.processes(directory).stream())
                .collect(Collectors.toSet());
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
