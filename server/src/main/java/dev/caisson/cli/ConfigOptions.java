package dev.caisson.cli;

import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of every command that reads the configuration.
final class ConfigOptions {
    @Option(names = "--config", paramLabel = "FILE", description = "The configuration file (YAML).")
    @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIRECTORY",
            description = "The data directory (data.directory).")
    @Nullable String data;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets any key, see `caisson config`. May be repeated.")
    List<String> assignments = new ArrayList<>();

    /// @param product knows what the process was started with
    /// @param flags keys set by flags of the command itself
    Effective read(Product product, List<Given> flags) throws Mistakes {
        var given = new ArrayList<Given>();
        for (var assignment : assignments) {
            given.add(assigned(assignment));
        }
        if (data != null) {
            given.add(Given.flag("data.directory", data, "--data"));
        }
        given.addAll(flags);
        return product.configuration(Optional.ofNullable(file), given);
    }

    Effective read(Product product) throws Mistakes {
        return read(product, List.of());
    }

    private static Given assigned(String assignment) {
        var equals = assignment.indexOf('=');
        var key = equals < 0 ? assignment : assignment.substring(0, equals);
        var text = equals < 0 ? "true" : assignment.substring(equals + 1);
        return Given.flag(key.strip(), text, "--set");
    }
}
