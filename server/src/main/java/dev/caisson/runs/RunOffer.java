package dev.caisson.runs;

import dev.caisson.output.OutputLimits;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.Runners;
import dev.caisson.sandbox.Runs;
import dev.caisson.session.SessionLimits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Terms on which programs are run here, as tools tell them: runners, isolation and limits.
///
/// @param profile with the limits of a run
/// @param allowed the environments a run may use, the usual one first; empty means all
/// @param capacity of a workspace, in words
/// @param linkLife how long the link to a file works
public record RunOffer(
        Runs runs,
        Profile profile,
        Optional<List<String>> allowed,
        OutputLimits output,
        SessionLimits sessions,
        String capacity,
        Duration linkLife) {
    /// Those there are now.
    public Runners runners() {
        return runs.runners();
    }

    /// Names of the environments of a run that asks for none; some may not be there.
    public List<String> usualEnvironments() {
        return EnvironmentChoice.usual(runners(), allowed);
    }

    /// The environments that a run may ask for and that are there.
    public List<PackageEnvironment> environments() {
        return runners().environments().stream().filter(each -> mayUse(each.name())).toList();
    }

    /// The environments that a run might ask for if they were there.
    public List<PackageEnvironment.Missing> missingEnvironments() {
        return runners().missingEnvironments().stream()
                .filter(each -> mayUse(each.name()))
                .toList();
    }

    private boolean mayUse(String name) {
        return allowed.map(names -> names.contains(name)).orElse(true);
    }

    public Isolation isolation() {
        return runs.isolation();
    }
}
