package dev.caisson;

import dev.caisson.linux.LowPriority;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.Workers;
import dev.caisson.store.DataSettings;
import java.nio.file.Path;

/// Settings that follow from the machine and the installation instead of a configuration key.
final class HostSettings {
    private static final int COMPUTING_MIN = 2;

    /// Who owns the files of workspaces on disk; each sandbox sees them as its own user's.
    static final int USER_ON_DISK = 1000;

    private HostSettings() {}

    /// As many as the machine has processors, of which one caller leaves some to others.
    static Workers workers(ShareLimit part) {
        return new Workers(
                Math.max(COMPUTING_MIN, Runtime.getRuntime().availableProcessors()),
                part,
                new LowPriority("compute-"));
    }

    static SandboxSettings sandboxes(Config config) {
        return SandboxSettings.of(
                sandboxDirectory(config.data()), guests(), config.running().sandboxes());
    }

    /// Sandboxes live below a directory that their users can pass through; a root server's data
    /// directory is not one.
    private static Path sandboxDirectory(DataSettings data) {
        return "root".equals(System.getProperty("user.name"))
                ? Path.of("/run/caisson/sandboxes")
                : data.directory().resolve("sandboxes");
    }

    /// Where the launcher put what runs inside a sandbox.
    private static Path guests() {
        return Path.of(System.getProperty("caisson.guests", "guests")).toAbsolutePath();
    }
}
