package dev.caisson.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sources of the configuration from the weakest to the strongest: the defaults, a file, the
/// environment, the flags.
///
/// @param file as the flag `--config` names it; else `CAISSON_CONFIG`, else the usual place if
///   there is a file
/// @param flags in the order in which they were written
/// @param home the user's directory
/// @param root whether the user is the system's administrator, whose files are in system places
public record Sources(
        Optional<Path> file,
        Map<String, String> environment,
        List<Given> flags,
        Path home,
        boolean root) {
    public Sources {
        environment = Map.copyOf(environment);
        flags = List.copyOf(flags);
    }

    /// What this process was started with.
    public static Sources ofProcess(Optional<Path> file, List<Given> flags) {
        return new Sources(
                file,
                System.getenv(),
                flags,
                home(System.getenv()),
                System.getProperty("user.name").equals("root"));
    }

    /// As the user says, which may differ from what the system says.
    private static Path home(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
    }

    /// The file to read. One that was named must exist; the usual one may be absent.
    Optional<Path> chosenFile() {
        return file.or(() -> variable("CAISSON_CONFIG").map(Path::of))
                .or(() -> Optional.of(usualFile()).filter(Files::exists));
    }

    Path usualFile() {
        return base("/etc", "XDG_CONFIG_HOME", ".config")
                .resolve("caisson")
                .resolve("caisson.yaml");
    }

    Path usualData() {
        return base("/var/lib", "XDG_DATA_HOME", ".local/share").resolve("caisson");
    }

    private Path base(String ofRoot, String variable, String underHome) {
        return root
                ? Path.of(ofRoot)
                : variable(variable).map(Path::of).orElse(home.resolve(underHome));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(text -> !text.isBlank());
    }
}
