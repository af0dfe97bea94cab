package dev.caisson.linux;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The kinds of namespaces a sandbox is made of.
public final class Namespaces {
    private static final List<String> KINDS =
            List.of("user", "mnt", "pid", "net", "ipc", "uts", "cgroup");
    private static final int TRY_SECONDS = 30;

    private Namespaces() {}

    /// What this host lacks for them, and what to do about it. Found out by making one of each.
    public static Optional<String> missing() {
        for (var kind : KINDS) {
            if (!Files.exists(Path.of("/proc/self/ns", kind))) {
                return Optional.of(
                        "The kernel has no %s namespaces: use one that was built with them."
                                .formatted(kind));
            }
        }
        return canBeMade()
                ? Optional.empty()
                : Optional.of(
                        "Namespaces cannot be made here: allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns), and do not run the server in a container that forbids them.");
    }

    private static boolean canBeMade() {
        try {
            var attempt =
                    new ProcessBuilder(
                                    "unshare",
                                    "--user",
                                    "--mount",
                                    "--pid",
                                    "--fork",
                                    "--net",
                                    "--ipc",
                                    "--uts",
                                    "--cgroup",
                                    "true")
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start();
            boolean ended = attempt.waitFor(TRY_SECONDS, TimeUnit.SECONDS);
            attempt.destroyForcibly();
            return ended && attempt.exitValue() == 0;
        } catch (IOException notInstalled) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
