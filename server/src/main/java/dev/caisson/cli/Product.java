package dev.caisson.cli;

import dev.caisson.config.Config;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What the commands do, filled by the wiring. Each method returns when the work is over; its
/// number is the exit code of the process.
public interface Product {
    int OK = 0;
    int FAILED = 1;
    int USAGE = 2;

    /// What the configuration is read from.
    ///
    /// @param file as `--config` names it
    /// @param flags in the order in which they were written
    Sources sources(Optional<Path> file, List<Given> flags);

    /// Serves until the process is told to stop.
    int serve(Config config, PrintWriter out) throws Exception;

    /// Speaks the protocol on standard input and output until the input ends.
    int stdio(Config config) throws Exception;

    /// Attacks its own sandbox and says what holds.
    int doctor(Config config, boolean json, PrintWriter out) throws Exception;

    KeyDesk keys(Config config) throws Exception;

    /// Says whether the ledger is as it was written.
    ///
    /// @param head as printed before: a number, a colon and a hash
    int verifyLedger(Config config, Optional<String> head, boolean json, PrintWriter out)
            throws Exception;

    /// Prints the ledger as lines of JSON.
    int exportLedger(Config config, PrintWriter out) throws Exception;

    /// Says which threads there are.
    int listThreads(Config config, boolean json, PrintWriter out) throws Exception;

    /// Says what is in a thread.
    ///
    /// @param thread its id, or the name of its directory
    /// @param path of a directory in it
    int listFiles(Config config, String thread, String path, boolean json, PrintWriter out)
            throws Exception;

    /// Writes a file of a thread to standard output.
    int printFile(Config config, String thread, String path) throws Exception;

    /// Copies everything that is kept.
    ///
    /// @param wait how long workspaces in use may take
    int backup(Config config, Path target, Duration wait, boolean json, PrintWriter out)
            throws Exception;

    /// Puts such a copy back.
    ///
    /// @param incomplete whether one that is not whole will do
    int restore(Config config, Path backup, boolean incomplete, boolean json, PrintWriter out)
            throws Exception;
}
