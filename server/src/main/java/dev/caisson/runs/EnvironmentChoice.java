package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runners;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Choice of the environments of a run: those the request names, else the usual one of its key,
/// else of the profile that its key has, else those of the configuration.
public final class EnvironmentChoice {
    private EnvironmentChoice() {}

    /// A runner with its packages. Of names that nobody asked for in this call, those that are not
    /// there are left out.
    ///
    /// @param allowed those that key or profile let a run use, the usual one first; empty means all
    /// @throws Refusal INVALID_ARGUMENT for a name of the request that is not there, or not for
    ///   this key
    static Runner of(
            Runners runners,
            Runner runner,
            Optional<List<String>> requested,
            Optional<List<String>> allowed) {
        requested.ifPresent(names -> requireThere(runners, runner, names));
        requested.ifPresent(names -> allowed.ifPresent(mine -> requireAllowed(names, mine)));
        var names = requested.orElseGet(() -> usual(runners, allowed));
        return runner.with(runners.fitting(runner, names));
    }

    /// Names of the environments of a run that asks for none.
    static List<String> usual(Runners runners, Optional<List<String>> allowed) {
        return allowed.map(mine -> mine.stream().limit(1).toList()).orElse(runners.usual());
    }

    private static void requireAllowed(List<String> names, List<String> allowed) {
        for (var name : names) {
            if (!allowed.contains(name)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "Runs of this key may not use the environment '%s'. They may use: %s."
                                .formatted(
                                        name,
                                        allowed.isEmpty() ? "none" : String.join(", ", allowed)),
                        Map.of("environments", allowed));
            }
        }
    }

    private static void requireThere(Runners runners, Runner runner, List<String> names) {
        for (var name : names) {
            if (runners.environment(name).isEmpty()) {
                throw unknown(runners, name);
            }
        }
        if (runners.fitting(runner, names).size() < names.size()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    runner.takesEnvironments()
                            ? "The environment was baked for another version of Python. Ask the operator to bake it again."
                            : "The image %s has packages of its own: leave out environment, or image."
                                    .formatted(runner.image()));
        }
    }

    private static Refusal unknown(Runners runners, String name) {
        var there = runners.environments().stream().map(PackageEnvironment::name).toList();
        var why =
                runners.missingEnvironments().stream()
                        .filter(each -> each.name().equals(name))
                        .map(each -> " " + each.why())
                        .findFirst()
                        .orElse("");
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "There is no environment '%s' here.%s There are: %s."
                        .formatted(name, why, there.isEmpty() ? "none" : String.join(", ", there)),
                Map.of("environments", there));
    }
}
