package dev.caisson.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Administration of environments for the command line.
public interface EnvironmentAdmin extends AutoCloseable {
    /// @param python a requirements file
    /// @param node a `package-lock.json`
    record Wanted(String name, Optional<Path> python, Optional<Path> node, List<String> preload) {
        public Wanted {
            preload = List.copyOf(preload);
        }
    }

    record Listed(String name, String hash, int packages, long bytes, String bakedAt) {}

    /// Bakes, and prints what is said meanwhile.
    ///
    /// @return whether it was done
    boolean bake(Wanted wanted, PrintWriter out) throws CommandFailed, InterruptedException;

    List<Listed> list();

    void remove(String name) throws InterruptedException;

    @Override
    void close();
}
