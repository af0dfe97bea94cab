package dev.caisson.cli;

import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Interface of the product to the command line, filled by the wiring. Each method returns when the
/// work is over; its number is the exit code of the process.
public interface Product {
    int OK = 0;
    int FAILED = 1;
    int USAGE = 2;

    /// Reads the configuration.
    ///
    /// @param file as `--config` names it
    /// @param flags in the order in which they were written
    Effective configuration(Optional<Path> file, List<Given> flags) throws Mistakes;

    /// Serves until the process is told to stop.
    int serve(Effective config, PrintWriter out) throws Exception;

    /// Speaks the protocol on standard input and output until the input ends.
    int stdio(Effective config) throws Exception;

    /// Attacks its own sandbox and says what holds.
    int doctor(Effective config, boolean json, PrintWriter out) throws Exception;

    /// The keys of a data directory that exists.
    KeyAdmin keys(Effective config) throws Exception;

    EnvironmentAdmin environments(Effective config) throws Exception;

    /// The same; a data directory that does not exist is made.
    KeyAdmin keysMade(Effective config) throws Exception;

    ProfileAdmin profiles(Effective config) throws Exception;

    SecretAdmin secrets(Effective config) throws Exception;

    UpstreamAdmin upstreams(Effective config) throws Exception;

    PolicyAdmin policy(Effective config) throws Exception;

    PackageInstaller packages(Effective config) throws Exception;

    ApprovalAdmin approvals(Effective config) throws Exception;

    CallAdmin calls(Effective config) throws Exception;

    /// Says whether the ledger is as it was written.
    ///
    /// @param head as printed before: a number, a colon and a hash
    int verifyLedger(Effective config, Optional<String> head, boolean json, PrintWriter out)
            throws Exception;

    /// Prints the ledger as lines of JSON.
    int exportLedger(Effective config, PrintWriter out) throws Exception;

    /// Says which threads there are.
    int listThreads(Effective config, boolean json, PrintWriter out) throws Exception;

    /// Says what is in a thread.
    ///
    /// @param thread its id, or the name of its directory
    /// @param path of a directory in it
    int listFiles(Effective config, String thread, String path, boolean json, PrintWriter out)
            throws Exception;

    /// Writes a file of a thread to standard output.
    int printFile(Effective config, String thread, String path) throws Exception;

    /// Copies everything that is kept.
    ///
    /// @param wait how long workspaces in use may take
    int backup(Effective config, Path target, Duration wait, boolean json, PrintWriter out)
            throws Exception;

    /// Puts such a copy back.
    ///
    /// @param incomplete whether one that is not whole will do
    int restore(Effective config, Path backup, boolean incomplete, boolean json, PrintWriter out)
            throws Exception;
}
