package dev.caisson.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Where a command writes for people and programs to read.
final class Output {
    private Output() {}

    /// @param spec as the library filled it in before it called the command
    static PrintWriter of(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by the command line");
        }
        return spec.commandLine().getOut();
    }
}
