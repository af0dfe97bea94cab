package dev.caisson.acceptance.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// npm packages that a lock file pins, installed once, without running scripts of theirs, and
/// reused until the lock file changes.
///
/// They live outside the build directory, because installing them takes longer than everything else
/// the tests do. An installation is made beside its final place and renamed, so two builds at once
/// or one that was stopped leave nothing half done.
///
/// @param sources where the lock file is, and scripts of ours that import the packages
/// @param home where they are installed
public record NpmPackages(Path sources, Path home) {
    private static final Duration INSTALL_TIME = Duration.ofMinutes(10);
    private static final String LOCK = "package-lock.json";

    /// Installs what is missing.
    public static NpmPackages installed(Path sources, String name) {
        var home = cache().resolve(name + "-" + digest(sources.resolve(LOCK)));
        try {
            if (!Files.isDirectory(home)) {
                install(sources, home);
            }
            return new NpmPackages(sources, home);
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
        var fresh = Files.createTempDirectory(home.getParent(), "npm-new-");
        for (var file : List.of("package.json", LOCK)) {
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
        // Programs in sandboxes read them too, as other users.
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(home)) {
                throw e;
            }
        }
    }

    /// One of our own scripts, copied to where it finds the packages it imports.
    public Path script(String name) {
        var source = sources.resolve(name);
        var copy = home.resolve(name);
        try {
            if (!Files.exists(copy) || Files.mismatch(source, copy) >= 0) {
                Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
