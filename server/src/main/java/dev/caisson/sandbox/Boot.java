package dev.caisson.sandbox;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Boot recipe of a language: how it is started inside a sandbox, up to the point where it waits
/// for its job.
///
/// @param root what the read-only root is made of
/// @param command the interpreter with our guest in it
/// @param environment while it waits; a program never sees it
/// @param files the names the program's text is given to the interpreter under, in `/run/job`
/// @param shown directories of the host that are shown read-only beside the root
/// @param nodeModules where Node.js looks for packages that are not in the workspace
public record Boot(
        Root root,
        List<String> command,
        Map<String, String> environment,
        List<String> files,
        List<Shown> shown,
        Optional<String> nodeModules) {
    private static final String GUEST = "/run/guest/";

    /// Modules the Python guest imports before it waits, and where it finds them.
    static final String PRELOAD = "CAISSON_PRELOAD";

    static final String PRELOAD_PATH = "CAISSON_PRELOAD_PATH";

    /// Node cannot move descriptors by itself; everyone else's guest does.
    private static final List<String> OWN_OUTPUT =
            List.of("/bin/sh", "-c", "exec \"$@\" 1>&5 2>&6 5>&- 6>&-", "sh");

    /// Importing something, be it nothing, makes Node load its entry point as a module.
    private static final String NOTHING = "data:text/javascript,";

    /// A directory of the host.
    ///
    /// @param target where it is shown: below `/opt`, or at its own path
    public record Shown(String target, Path source) {
        public Shown {
            if (!target.startsWith("/opt/") && !target.equals(source.toString())) {
                throw new IllegalArgumentException(
                        "shown below /opt or at its own path: " + target);
            }
        }

        /// The same path inside as outside. Which paths that may be is the caller's to check.
        static Shown atItsPlace(Path directory) {
            return new Shown(directory.toString(), directory);
        }
    }

    public Boot {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        files = List.copyOf(files);
        shown = List.copyOf(shown);
    }

    /// Whether its interpreter can be booted once and forked for each run. What is preloaded starts
    /// no threads in an interpreter that is forked, so a program that may have several has another.
    public boolean canFork(Limits limits) {
        boolean preloads = environment.containsKey(PRELOAD);
        return files.equals(List.of("main.py")) && (!preloads || limits.threads() == 1);
    }

    /// One that shows nothing but its root.
    public Boot(
            Root root, List<String> command, Map<String, String> environment, List<String> files) {
        this(root, command, environment, files, List.of(), Optional.empty());
    }

    /// The same with more directories shown.
    public Boot showing(List<Shown> more) {
        var all = Stream.concat(shown.stream(), more.stream()).toList();
        return new Boot(root, command, environment, files, all, nodeModules);
    }

    /// The same with packages. The Python guest imports what is to be preloaded before it reports
    /// ready.
    public Boot with(List<PackageEnvironment> environments) {
        if (environments.isEmpty()) {
            return this;
        }
        var variables = new HashMap<>(environment);
        var preload = environments.stream().flatMap(each -> each.preload().stream()).toList();
        if (!preload.isEmpty()) {
            variables.put(PRELOAD, String.join(",", preload));
            variables.put(PRELOAD_PATH, PackageEnvironment.pythonPath(environments));
        }
        var places = environments.stream().map(each -> new Shown(each.place(), each.directory()));
        return new Boot(
                        root,
                        command,
                        variables,
                        files,
                        shown,
                        PackageEnvironment.nodeModules(environments).findFirst())
                .showing(places.toList());
    }

    /// @param interpreter as it is called inside
    public static Boot of(Language language, Root root, String interpreter) {
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
