package dev.caisson.acceptance.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Real clients and the official conformance suite: the npm packages of `src/test/clients`.
public final class Judges {
    private final NpmPackages packages;

    private Judges(NpmPackages packages) {
        this.packages = packages;
    }

    /// Installs what is missing.
    public static Judges ready() {
        var sources = Repository.acceptance().resolve("src/test/clients");
        return new Judges(NpmPackages.installed(sources, "judges"));
    }

    /// Runs one of our own scripts, which finds the packages it imports.
    public Program.Ended script(String name, List<String> arguments, Duration limit) {
        return node(packages.script(name), arguments, limit);
    }

    /// Runs a program of an installed package.
    public Program.Ended packaged(String script, List<String> arguments, Duration limit) {
        return node(packages.home().resolve("node_modules").resolve(script), arguments, limit);
    }

    /// A new directory with one of our own programs, from which the packages can be imported.
    public Path project(String name, String program) {
        var source = Repository.acceptance().resolve("src/test/clients").resolve(program);
        var project = scratch(name);
        try {
            Files.copy(source, project.resolve(program));
            Files.writeString(project.resolve("package.json"), "{\"type\":\"module\"}");
            Files.createSymbolicLink(
                    project.resolve("node_modules"), packages.home().resolve("node_modules"));
            return project;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs a program of such a directory.
    public Program.Ended run(Path program, List<String> arguments, Duration limit) {
        return node(program, arguments, limit);
    }

    /// A file of an installed package.
    String file(String name) {
        return text(packages.home().resolve("node_modules").resolve(name));
    }

    private Program.Ended node(Path script, List<String> arguments, Duration limit) {
        var command = new ArrayList<String>();
        command.add(nodeBinary().toString());
        command.add(script.toString());
        command.addAll(arguments);
        return Program.run(command, packages.home(), Map.of("NO_COLOR", "1"), limit);
    }

    private Path nodeBinary() {
        var machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return packages.home().resolve("node_modules/node-linux-" + machine + "/bin/node");
    }

    /// A directory for what a judge writes, new on every call.
    public static Path scratch(String name) {
        try {
            var target = Repository.acceptance().resolve("target").resolve("judges");
            Files.createDirectories(target);
            return Files.createTempDirectory(target, name + "-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
