package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Order of a service: a program of the operator's choice that lives long.
///
/// @param name its own among all services; what it takes of the machine is counted under it
/// @param command the program and its arguments
/// @param environment of the program, secrets included: it stands on no command line and in no file
/// @param show directories of the host that it may read, at the same path
/// @param data what it finds at `/data`, kept by whoever ordered it
/// @param limits of everything in it together; it has no end of its own
/// @param furnishing what the server offers inside beside that
public record ServiceOrder(
        String name,
        List<String> command,
        Map<String, String> environment,
        List<Path> show,
        Workspace data,
        Limits limits,
        Furnishing furnishing) {
    /// Puts into the box of a service what the server offers there, before the program begins.
    @FunctionalInterface
    public interface Furnishing {
        /// Of a service that gets nothing more.
        Furnishing NOTHING = _ -> new Furnished(Map.of(), () -> {});

        Furnished into(Box box) throws IOException;
    }

    /// What was offered.
    ///
    /// @param variables that tell the program of it, unless its order has them
    /// @param end of the offer, called when the service is gone
    public record Furnished(Map<String, String> variables, Runnable end) {
        public Furnished {
            variables = Map.copyOf(variables);
        }
    }

    /// A service that gets nothing more.
    public ServiceOrder(
            String name,
            List<String> command,
            Map<String, String> environment,
            List<Path> show,
            Workspace data,
            Limits limits) {
        this(name, command, environment, show, data, limits, Furnishing.NOTHING);
    }

    public ServiceOrder {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        show = List.copyOf(show);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a service has a command");
        }
        requireNoNul(command);
        requireNoNul(List.copyOf(environment.keySet()));
        requireNoNul(List.copyOf(environment.values()));
        if (!environment.keySet().stream().allMatch(each -> each.matches("[A-Za-z_]\\w{0,127}"))) {
            throw new IllegalArgumentException("a variable has a name of letters, digits and _");
        }
    }

    private static void requireNoNul(List<String> words) {
        if (words.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            throw new IllegalArgumentException("no word of a service has a NUL in it");
        }
    }

    /// Without values, which may be secret.
    @Override
    public String toString() {
        return "ServiceOrder[" + name + "]";
    }
}
