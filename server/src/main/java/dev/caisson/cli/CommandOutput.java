package dev.caisson.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Messages of the command line about mistyped options, and the common form of its output.
final class CommandOutput {
    private CommandOutput() {}

    /// Where it writes what people and programs read.
    static PrintWriter of(@Nullable CommandSpec spec) {
        return line(spec).getOut();
    }

    /// Where it writes what only people read, while programs read the rest.
    static PrintWriter errors(@Nullable CommandSpec spec) {
        return line(spec).getErr();
    }

    /// Prints a warning where it does not mix with what programs read.
    static void warn(@Nullable CommandSpec spec, String sentence) {
        line(spec).getErr().println("Warning: " + sentence);
    }

    /// To throw when something typed is wrong.
    static ParameterException mistyped(@Nullable CommandSpec spec, String sentence) {
        return new ParameterException(line(spec), sentence);
    }

    /// @param spec as the library filled it in before it called the command
    private static CommandLine line(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command was not started by the command line");
        }
        return spec.commandLine();
    }
}
