package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Sandboxes;
import java.util.Optional;

/// Interpreters of this machine that packages are baked with and for. Images bring packages of
/// their own and do not count.
final class PackageHost {
    private final Sandboxes sandboxes;

    PackageHost(Sandboxes sandboxes) {
        this.sandboxes = sandboxes;
    }

    private Optional<Runner> runner(Language language) {
        return sandboxes.runners().available().stream()
                .filter(each -> each.language() == language && each.takesEnvironments())
                .findFirst();
    }

    /// Runs the steps of a bake.
    Runner shell() {
        return runner(Bake.LANGUAGE)
                .orElseThrow(() -> unavailable("Bakes need the language bash on this machine."));
    }

    private static Refusal unavailable(String sentence) {
        return new Refusal(Reason.UNAVAILABLE, sentence);
    }

    /// The path of Python, the same inside and outside.
    Optional<String> python() {
        return runner(Language.PYTHON)
                .flatMap(sandboxes.runners()::boot)
                .map(boot -> boot.command().getFirst());
    }

    /// How pip and npm of this machine are set.
    ///
    /// @throws Refusal UNAVAILABLE where there is no interpreter for a lock
    HostPackaging packaging(Lock lock) {
        var python = python();
        if (lock.python().isPresent() && python.isEmpty()) {
            throw unavailable("Python packages need the language python on this machine.");
        }
        return HostPackaging.read(python.orElse("python3"), lock.node().isPresent());
    }

    /// The same for packages of npm alone.
    ///
    /// @throws Refusal UNAVAILABLE where there is no Node.js
    HostPackaging packagingOfNpm() {
        if (runner(Language.NODE).isEmpty()) {
            throw unavailable("npm packages need the language node on this machine.");
        }
        return HostPackaging.read(python().orElse("python3"), true);
    }

    /// What packages are compiled for: a patch of an interpreter changes nothing for them.
    String pythonVersion() {
        return runner(Language.PYTHON).map(each -> minor(each.version())).orElse("none");
    }

    private static String minor(String version) {
        var parts = version.split("\\.", 3);
        return parts.length < 2 ? version : parts[0] + "." + parts[1];
    }

    /// The interpreters that packages of a lock are for, such as `python 3.11`.
    String interpreters(Lock lock) {
        var python = lock.python().isPresent() ? "python " + pythonVersion() : "";
        var node =
                lock.node().isPresent()
                        ? " node "
                                + runner(Language.NODE)
                                        .map(each -> minor(each.version()).split("\\.", 2)[0])
                                        .orElse("none")
                        : "";
        return python + node;
    }
}
