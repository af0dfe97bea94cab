package dev.caisson.acceptance.product;

import dev.caisson.acceptance.judge.Program;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Search in a tree that changes meanwhile, by `find`: what goes while it is looked at is not
/// found.
public final class LiveFiles {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private LiveFiles() {}

    /// @param conditions of `find`
    public static List<Path> find(Path top, int depth, String... conditions) {
        var command = new ArrayList<String>();
        command.addAll(List.of("find", top.toString(), "-maxdepth", Integer.toString(depth)));
        Collections.addAll(command, conditions);
        return Program.run(command, Path.of("/"), Map.of(), LIMIT)
                .out()
                .lines()
                .map(Path::of)
                .toList();
    }
}
