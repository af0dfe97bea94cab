package dev.caisson.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Installer of packages for programs that speak as upstreams.
public interface PackageInstaller extends AutoCloseable {
    /// A package that is there.
    ///
    /// @param name of the package, without the scope of its owner
    /// @param directory that has everything
    /// @param programs how each program of the package is started, by its name
    /// @param packages how many, with those it needs
    record Installed(
            String name,
            Path directory,
            Map<String, List<String>> programs,
            int packages,
            long bytes) {
        public Installed {
            programs = Map.copyOf(programs);
        }
    }

    /// Installs a package of npm, and prints what is said meanwhile.
    ///
    /// @param words its name and its exact version
    Installed npm(String words, PrintWriter said) throws CommandFailed, InterruptedException;

    @Override
    void close();
}
