package dev.caisson.acceptance.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The npm packages of `src/test/clients`, installed once and reused until the lock file changes.
///
/// They live outside the build directory, because installing them takes longer than everything else
/// the tests do. An installation is made beside its final place and renamed, so two builds at once
/// or one that was stopped leave nothing half done.
public final class Judges {
    private static final Duration INSTALL_TIME = Duration.ofMinutes(10);
    private static final List<String> FILES = List.of("package.json", "package-lock.json");

    private final Path home;

    private Judges(Path home) {
        this.home = home;
    }

    /// Installs what is missing.
    public static Judges ready() {
        var sources = Repository.acceptance().resolve("src/test/clients");
        var home = cache().resolve("judges-" + digest(sources.resolve("package-lock.json")));
        try {
            if (!Files.isDirectory(home)) {
                install(sources, home);
            }
            return new Judges(home);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cache() {
        var configured = System.getenv("XDG_CACHE_HOME");
        var base =
                configured == null || configured.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(configured);
        return base.resolve("caisson");
    }

    private static String digest(Path file) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// `npm install` with a lock file installs exactly what the lock file says. `npm ci` would do
    /// so too, but it refuses a lock file without the optional packages of foreign platforms, and
    /// not every registry has those.
    private static void install(Path sources, Path home) throws IOException {
        Files.createDirectories(home.getParent());
        var fresh = Files.createTempDirectory(home.getParent(), "judges-new-");
        for (var file : FILES) {
            Files.copy(sources.resolve(file), fresh.resolve(file));
        }
        var npm =
                List.of(
                        "npm",
                        "install",
                        "--no-save",
                        "--ignore-scripts",
                        "--no-audit",
                        "--no-fund",
                        "--loglevel=error");
        Program.run(npm, fresh, Map.of(), INSTALL_TIME).expect(0);
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    /// Runs one of our own scripts, which finds the packages it imports.
    public Program.Ended script(String name, List<String> arguments, Duration limit) {
        var source = Repository.acceptance().resolve("src/test/clients").resolve(name);
        try {
            var copy = home.resolve(name);
            if (!Files.exists(copy) || Files.mismatch(source, copy) >= 0) {
                Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            return node(copy, arguments, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs a program of an installed package.
    public Program.Ended packaged(String script, List<String> arguments, Duration limit) {
        return node(home.resolve("node_modules").resolve(script), arguments, limit);
    }

    /// A new directory with one of our own programs, from which the packages can be imported.
    public Path project(String name, String program) {
        var source = Repository.acceptance().resolve("src/test/clients").resolve(program);
        var project = scratch(name);
        try {
            Files.copy(source, project.resolve(program));
            Files.writeString(project.resolve("package.json"), "{\"type\":\"module\"}");
            Files.createSymbolicLink(project.resolve("node_modules"), home.resolve("node_modules"));
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
        return text(home.resolve("node_modules").resolve(name));
    }

    private Program.Ended node(Path script, List<String> arguments, Duration limit) {
        var command = new ArrayList<String>();
        command.add(nodeBinary().toString());
        command.add(script.toString());
        command.addAll(arguments);
        return Program.run(command, home, Map.of("NO_COLOR", "1"), limit);
    }

    private Path nodeBinary() {
        var machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return home.resolve("node_modules/node-linux-" + machine + "/bin/node");
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
