package dev.caisson.sandbox;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Package environment: packages that were made ready once, under a name and a hash, and are shown
/// read-only in sandboxes at `/opt/env/<name>`. The directory has `python`, `bin` and
/// `node/node_modules`, each only if there is something in it.
///
/// @param hash of what it was made from; the directory never changes
/// @param directory on the host
/// @param python the version its Python packages are for, such as `3.11`; empty without any
/// @param node whether it has packages for Node.js
/// @param preload modules that are imported before a program is known
public record PackageEnvironment(
        String name,
        String hash,
        Path directory,
        Optional<String> python,
        boolean node,
        List<Item> packages,
        List<String> preload,
        long bytes,
        Instant bakedAt) {
    /// What an environment may be called.
    public static final String NAME_PATTERN = "^[a-z][a-z0-9_-]{0,31}$";

    /// In the place of a name: no environment at all.
    public static final String NONE = "none";

    static final String PLACE = "/opt/env/";

    /// What a Python that a program starts loads to show figures, see `guests/child`.
    private static final String CHILD = "/run/guest/child";

    /// Variable by which the stubs of installers know what is installed.
    private static final String NAMES = "SANDBOX_PACKAGES";

    private static final Pattern NAME = Pattern.compile(NAME_PATTERN);

    /// An environment that is wanted and not there.
    public record Missing(String name, String why, String remedy) {}

    /// A package in an environment.
    public record Item(String name, String version) {}

    public PackageEnvironment {
        packages = List.copyOf(packages);
        preload = List.copyOf(preload);
        if (!isName(name)) {
            throw new IllegalArgumentException("not a name of an environment: " + name);
        }
    }

    public static boolean isName(String text) {
        return NAME.matcher(text).matches() && !text.equals(NONE);
    }

    /// Where it is inside.
    String place() {
        return PLACE + name;
    }

    /// What programs find in their environment variables with these environments: the first that
    /// has a module or a program wins, after what the caller set.
    static Map<String, String> variables(
            List<PackageEnvironment> environments, Map<String, String> own) {
        if (environments.isEmpty()) {
            return own;
        }
        var all = new HashMap<>(own);
        all.put("PATH", joined(programs(environments), ProgramEnvironment.PATH));
        var python = pythonPath(environments);
        prefixed(all, "PYTHONPATH", python.isEmpty() ? "" : joined(python, CHILD));
        prefixed(all, "NODE_PATH", nodePath(environments));
        all.putIfAbsent(NAMES, PackageNames.listed(environments));
        return all;
    }

    static String pythonPath(List<PackageEnvironment> environments) {
        return environments.stream()
                .filter(each -> each.python().isPresent())
                .map(each -> each.place() + "/python")
                .collect(Collectors.joining(":"));
    }

    private static String nodePath(List<PackageEnvironment> environments) {
        return nodeModules(environments).collect(Collectors.joining(":"));
    }

    /// Where packages for Node.js are, in the order of the list.
    static Stream<String> nodeModules(List<PackageEnvironment> environments) {
        return environments.stream()
                .filter(PackageEnvironment::node)
                .map(each -> each.place() + "/node/node_modules");
    }

    private static String programs(List<PackageEnvironment> environments) {
        var places = new ArrayList<String>();
        for (var each : environments) {
            places.add(each.place() + "/bin");
            if (each.node()) {
                places.add(each.place() + "/node/node_modules/.bin");
            }
        }
        return String.join(":", places);
    }

    private static void prefixed(Map<String, String> all, String name, String path) {
        if (!path.isEmpty()) {
            all.merge(name, path, PackageEnvironment::joined);
        }
    }

    private static String joined(String first, String second) {
        return second.isEmpty() ? first : first + ":" + second;
    }
}
