package dev.caisson.acceptance.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The sources of the web console, with everything installed that its checks need.
public final class ConsoleProject {
    private static final Duration INSTALL_TIME = Duration.ofMinutes(10);
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome");

    private final Path home;

    private ConsoleProject(Path home) {
        this.home = home;
    }

    public static ConsoleProject ready() {
        var home = Repository.root().resolve("console");
        Program.run(List.of("sh", "install.sh"), home, Map.of(), INSTALL_TIME).expect(0);
        var types = List.of("node", "tools/wire-types.mjs");
        Program.run(types, home, Map.of(), INSTALL_TIME).expect(0);
        return new ConsoleProject(home);
    }

    /// Runs a program of one of its packages.
    public Program.Ended packaged(
            String script, List<String> arguments, Map<String, String> env, Duration limit) {
        var command = new ArrayList<>(List.of("node", "node_modules/" + script));
        command.addAll(arguments);
        return Program.run(command, home, env, limit);
    }

    /// A file below the directory for what tests make, which exists then.
    public Path made(String name) {
        try {
            var file = home.resolve("target").resolve(name);
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The system's own browser.
    public static Path browser() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(directory -> BROWSERS.stream().map(Path.of(directory)::resolve))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() ->
                        new AssertionError(
                                "there is no Chromium; to install it: apt-get install chromium"));
    }
}
