package dev.caisson.cli;

import dev.caisson.config.Config;
import java.io.PrintWriter;

/// What the commands do, filled by the wiring. Each method returns when the work is over; its
/// number is the exit code of the process.
public interface Product {
    int OK = 0;
    int FAILED = 1;
    int USAGE = 2;

    /// Serves until the process is told to stop.
    int serve(Config config, PrintWriter out) throws Exception;

    /// Speaks the protocol on standard input and output until the input ends.
    int stdio(Config config) throws Exception;

    /// Attacks its own sandbox and says what holds.
    int doctor(Config config, boolean json, PrintWriter out) throws Exception;

    KeyDesk keys(Config config) throws Exception;
}
