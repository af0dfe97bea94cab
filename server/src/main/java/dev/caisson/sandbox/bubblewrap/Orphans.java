package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.Reaper;
import dev.caisson.sandbox.Uninterrupted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reaper of what a sandbox left that never came up. Its first process, which nobody had got to
/// know, came to us when bubblewrap ended; it is told by the user, whom no other live sandbox has.
final class Orphans {
    private static final Duration DEATH_MAX = Duration.ofSeconds(5);

    private Orphans() {}

    static void reap(int user, Reaper reaper) throws IOException {
        for (var child : children()) {
            if (isDead(child, user)) {
                reap(child, reaper);
            }
        }
    }

    private static void reap(String pid, Reaper reaper) {
        try (var held = PidFd.open(Long.parseLong(pid))) {
            Uninterrupted.call(() -> reaper.reap(held, DEATH_MAX));
        } catch (KernelException gone) {
            // Somebody else has buried it.
            return;
        }
    }

    /// Every thread of ours can have children.
    private static List<String> children() throws IOException {
        var all = new ArrayList<String>();
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var thread : threads) {
                for (var word : read(thread.resolve("children")).split(" ", -1)) {
                    if (!word.isBlank()) {
                        all.add(word.strip());
                    }
                }
            }
        }
        return all;
    }

    private static boolean isDead(String pid, int user) {
        var status = read(Path.of("/proc", pid, "status"));
        return status.contains("State:\tZ") && status.contains("Uid:\t" + user + "\t");
    }

    /// A thread or a process may end while it is looked at.
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }
}
