package dev.caisson.sandbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runners found at one moment: what programs can be written in here.
public final class Runners {
    static final Runners NONE = new Runners(Map.of(), List.of());

    private final Map<Runner, Boot> boots;
    private final List<Runner.Missing> missing;
    private final List<PackageEnvironment> environments;
    private final List<String> usual;
    private final List<PackageEnvironment.Missing> missingEnvironments;

    public Runners(Map<Runner, Boot> boots, List<Runner.Missing> missing) {
        this(boots, missing, List.of(), List.of(), List.of());
    }

    private Runners(
            Map<Runner, Boot> boots,
            List<Runner.Missing> missing,
            List<PackageEnvironment> environments,
            List<String> usual,
            List<PackageEnvironment.Missing> missingEnvironments) {
        this.boots = new LinkedHashMap<>(boots);
        this.missing = List.copyOf(missing);
        this.environments = List.copyOf(environments);
        this.usual = List.copyOf(usual);
        this.missingEnvironments = List.copyOf(missingEnvironments);
    }

    /// The same with other packages.
    ///
    /// @param usualNames those a run gets that asks for none, baked or not
    Runners with(
            List<PackageEnvironment> all,
            List<String> usualNames,
            List<PackageEnvironment.Missing> notThere) {
        return new Runners(boots, missing, all, usualNames, notThere);
    }

    /// The same languages with the packages of others.
    Runners withPackagesOf(Runners others) {
        return with(others.environments, others.usual, others.missingEnvironments);
    }

    /// Packages that are wanted and not there.
    public List<PackageEnvironment.Missing> missingEnvironments() {
        return missingEnvironments;
    }

    /// Packages that runs can have.
    public List<PackageEnvironment> environments() {
        return environments;
    }

    /// Names of the environments of a run that asks for none; some may not be there.
    public List<String> usual() {
        return usual;
    }

    /// The environments of these names that are there and that a runner can use, in this order.
    public List<PackageEnvironment> fitting(Runner runner, List<String> names) {
        return names.stream()
                .flatMap(name -> environment(name).stream())
                .filter(each -> fits(runner, each))
                .toList();
    }

    public Optional<PackageEnvironment> environment(String name) {
        return environments.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    /// What is compiled for one version of Python is nothing to another.
    private boolean fits(Runner runner, PackageEnvironment environment) {
        return runner.takesEnvironments()
                && environment.python().stream().allMatch(this::hasPython);
    }

    private boolean hasPython(String version) {
        return boots.keySet().stream()
                .filter(each -> each.language() == Language.PYTHON && each.takesEnvironments())
                .allMatch(each -> each.version().startsWith(version + "."));
    }

    /// Those that work, the host's own first.
    public List<Runner> available() {
        return List.copyOf(boots.keySet());
    }

    /// Those that do not, each with what to do about it.
    public List<Runner.Missing> missing() {
        return missing;
    }

    public Optional<Runner> named(String name) {
        return boots.keySet().stream().filter(runner -> runner.name().equals(name)).findFirst();
    }

    /// The first for a language.
    public Optional<Runner> of(Language language) {
        return boots.keySet().stream().filter(runner -> runner.language() == language).findFirst();
    }

    public Optional<Boot> boot(Runner runner) {
        return Optional.ofNullable(boots.get(runner.with(List.of())))
                .map(boot -> boot.with(runner.environments()));
    }
}
