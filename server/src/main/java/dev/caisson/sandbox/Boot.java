package dev.caisson.sandbox;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// How a language is started inside a sandbox, up to the point where it waits for its job.
///
/// @param root what the read-only root is made of
/// @param command the interpreter with our guest in it
/// @param environment while it waits; a program never sees it
/// @param files the names the program's text is given to the interpreter under, in `/run/job`
record Boot(Root root, List<String> command, Map<String, String> environment, List<String> files) {
    private static final String GUEST = "/run/guest/";

    /// Node cannot move descriptors by itself; everyone else's guest does.
    private static final List<String> OWN_OUTPUT =
            List.of("/bin/sh", "-c", "exec \"$@\" 1>&5 2>&6 5>&- 6>&-", "sh");

    /// Importing something, be it nothing, makes Node load its entry point as a module.
    private static final String NOTHING = "data:text/javascript,";

    Boot {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        files = List.copyOf(files);
    }

    /// @param interpreter as it is called inside
    static Boot of(Language language, Root root, String interpreter) {
        return switch (language) {
            case PYTHON ->
                    new Boot(
                            root,
                            List.of(interpreter, "/run/job/main.py"),
                            Map.of("PYTHONPATH", GUEST + "python", "PYTHONDONTWRITEBYTECODE", "1"),
                            List.of("main.py"));
            case NODE -> node(root, List.of(interpreter), List.of("main.js", "main.mjs"));
            case TYPESCRIPT ->
                    node(root, List.of(interpreter, "--import", NOTHING), List.of("main.ts"));
            case BASH ->
                    new Boot(
                            root,
                            List.of(interpreter, GUEST + "bash/guest.sh"),
                            Map.of(),
                            List.of("main.sh"));
        };
    }

    private static Boot node(Root root, List<String> interpreter, List<String> files) {
        var program = "/run/job/" + files.getFirst();
        var guest = List.of("--require", GUEST + "node/guest.cjs", program);
        var command = Stream.of(OWN_OUTPUT, interpreter, guest).flatMap(List::stream).toList();
        return new Boot(root, command, Map.of(), files);
    }
}
