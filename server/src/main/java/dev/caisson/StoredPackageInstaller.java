package dev.caisson;

import dev.caisson.call.Revocations;
import dev.caisson.cli.CommandFailed;
import dev.caisson.cli.PackageInstaller;
import dev.caisson.environments.BakeFailed;
import dev.caisson.environments.InstalledPackages;
import dev.caisson.environments.NpmPackage;
import dev.caisson.share.Workers;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Installer of packages for the command line, with sandboxes of its own. A server beside it shows
/// them to the programs whose entries name them.
final class StoredPackageInstaller implements PackageInstaller {
    private static final long PAUSE_MILLIS = 200;

    private final Workers workers;
    private final StopPlan stop = new StopPlan();
    private final InstalledPackages packages;

    StoredPackageInstaller(Config config, Clock clock) throws IOException {
        workers = HostSettings.workers(config.shares());
        boolean opened = false;
        try {
            var services =
                    new RunServices(
                            config,
                            new Metrics(),
                            new Revocations(),
                            workers,
                            ThreadRegistry.NONE,
                            (_, _) -> Optional.empty(),
                            stop);
            packages = packages(config, services, clock);
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
    }

    /// Where packages are installed.
    static Path directory(Config config) {
        return config.data().directory().toAbsolutePath().normalize().resolve("packages");
    }

    static InstalledPackages packages(Config config, RunServices services, Clock clock) {
        return new InstalledPackages(
                directory(config),
                services.sandboxes,
                WorkspaceChoice.forBakes(config, services.sandboxes.isolation()),
                config.environments(),
                clock);
    }

    @Override
    public Installed npm(String words, PrintWriter said)
            throws CommandFailed, InterruptedException {
        var wanted = NpmPackage.of(words);
        var installation = packages.installation(wanted);
        said.println("Hosts that are asked: " + String.join(", ", installation.hosts()));
        said.flush();
        var work = new FutureTask<>(installation::install);
        var worker = Thread.ofVirtual().name("install").start(work);
        try {
            int shown = 0;
            while (true) {
                var done = isDone(work);
                shown = show(installation.output(), shown, said);
                if (done) {
                    return installed(work.get());
                }
            }
        } catch (ExecutionException failed) {
            throw failure(failed.getCause());
        } finally {
            worker.interrupt();
            worker.join();
        }
    }

    private static boolean isDone(FutureTask<?> work) throws InterruptedException {
        try {
            work.get(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException goesOn) {
            return false;
        } catch (ExecutionException failed) {
            return true;
        }
    }

    private static int show(String text, int from, PrintWriter said) {
        said.print(text.substring(Math.min(from, text.length())));
        said.flush();
        return text.length();
    }

    private static Installed installed(InstalledPackages.Installed one) {
        var programs = new LinkedHashMap<String, List<String>>();
        one.programs().keySet().stream()
                .sorted()
                .forEach(name -> programs.put(name, one.command(name)));
        return new Installed(
                one.what().plainName(), one.directory(), programs, one.packages(), one.bytes());
    }

    private static CommandFailed failure(@Nullable Throwable cause) {
        return switch (cause) {
            case BakeFailed failed -> new CommandFailed(String.valueOf(failed.getMessage()));
            case RuntimeException fault -> throw fault;
            case null, default -> throw new IllegalStateException(cause);
        };
    }

    @Override
    public void close() {
        stop.close();
        workers.close();
    }
}
