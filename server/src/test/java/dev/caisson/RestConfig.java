package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The configuration of a [RestProduct], for commands beside it.
record RestConfig(Path directory) {
    Config config() throws Exception {
        var data = Given.flag("data.directory", directory.resolve("data").toString(), "--data");
        return Effective.read(
                        new Sources(Optional.empty(), Map.of(), List.of(data), directory, false))
                .config();
    }
}
