package dev.caisson.environments;

import dev.caisson.call.Digests;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/// Packages that were installed for programs of the operator: a directory for each package and
/// version, which appears whole or not at all, and never changes.
public final class InstalledPackages {
    private static final int DESCRIPTION_BYTES_MAX = 1 << 20;

    private final Path root;
    private final EnvironmentStore files;
    private final Sandboxes sandboxes;
    private final WorkspaceMaker workspaces;
    private final EnvironmentSettings settings;
    private final Clock clock;

    /// @param root of all of them
    /// @param workspaces as large as one installation may be
    public InstalledPackages(
            Path root,
            Sandboxes sandboxes,
            WorkspaceMaker workspaces,
            EnvironmentSettings settings,
            Clock clock) {
        this.root = root;
        this.files = new EnvironmentStore(root);
        this.sandboxes = sandboxes;
        this.workspaces = workspaces;
        this.settings = settings;
        this.clock = clock;
    }

    /// One that is installed.
    ///
    /// @param programs paths of its programs, by their names
    /// @param packages how many, with those it needs
    public record Installed(
            NpmPackage what, Path directory, Map<String, Path> programs, int packages, long bytes) {
        public Installed {
            programs = Map.copyOf(programs);
        }

        /// How one of the programs is started.
        public List<String> command(String program) {
            var path =
                    Optional.ofNullable(programs.get(program))
                            .orElseThrow(
                                    () -> new IllegalArgumentException("there is no such program"));
            return isOfNode(path) ? List.of("node", path.toString()) : List.of(path.toString());
        }

        private static boolean isOfNode(Path program) {
            if (String.valueOf(program.getFileName()).matches(".*\\.[cm]?js")) {
                return true;
            }
            try (var in = Files.newInputStream(program)) {
                var head = new String(in.readNBytes(100), StandardCharsets.ISO_8859_1);
                return head.startsWith("#!")
                        && head.lines().findFirst().orElse("").contains("node");
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    /// One installation under way: what it has said so far, and what it asks.
    public final class Installation {
        private final NpmPackage wanted;
        private final HostPackaging host;
        private final BakeOutput output = new BakeOutput(settings.outputBytes());

        private Installation(NpmPackage wanted, HostPackaging host) {
            this.wanted = wanted;
            this.host = host;
        }

        /// Hosts that it may ask.
        public Set<String> hosts() {
            return Registries.of(settings.registries(), host).allowedOfNpm().names();
        }

        /// All it has said so far, passwords struck.
        public String output() {
            return output.text();
        }

        /// Installs it, unless it is there.
        ///
        /// @throws BakeFailed with one sentence that says why it could not be
        public Installed install() throws BakeFailed, InterruptedException {
            var hash = hash(wanted);
            try {
                var steps =
                        new BakeSteps(
                                sandboxes, settings, new PackageHost(sandboxes).shell(), output);
                var manifest =
                        files.make(
                                hash,
                                (scratch, tree) ->
                                        new NpmInstall(steps, workspaces, settings, clock)
                                                .into(scratch, tree, wanted, host));
                files.release(hash, clock.instant());
                return new Installed(
                        wanted,
                        files.directory(hash),
                        programs(files.directory(hash), wanted),
                        manifest.packages().size(),
                        manifest.bytes());
            } catch (IOException | UncheckedIOException failed) {
                throw new BakeFailed(
                        "What was fetched cannot be kept: " + failed.getMessage() + ".");
            }
        }
    }

    /// @throws Refusal UNAVAILABLE where there is no Node.js, or no registry
    public Installation installation(NpmPackage wanted) {
        var installation = new Installation(wanted, new PackageHost(sandboxes).packagingOfNpm());
        if (installation.hosts().isEmpty()) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "No registry of npm may be asked. Add one such as npm:https://registry.npmjs.org/ to environments.registries.");
        }
        return installation;
    }

    private static String hash(NpmPackage wanted) {
        return Digests.sha256Hex(
                ("npm 1\n" + System.getProperty("os.arch") + "\n" + wanted.words())
                        .getBytes(StandardCharsets.UTF_8));
    }

    /// Those it says it has, as far as they are files of it.
    private static Map<String, Path> programs(Path directory, NpmPackage of)
            throws IOException, BakeFailed {
        var home = directory.resolve("node_modules").resolve(of.name());
        var description = home.resolve("package.json");
        if (!Files.isRegularFile(description) || Files.size(description) > DESCRIPTION_BYTES_MAX) {
            throw new BakeFailed("The package %s has no package.json.".formatted(of.words()));
        }
        var found = new TreeMap<String, Path>();
        try {
            var said = Json.parse(Files.readAllBytes(description)).path("bin");
            if (said.isString()) {
                found.put(of.plainName(), home.resolve(said.stringValue()));
            }
            said.propertyStream()
                    .filter(each -> each.getValue().isString())
                    .forEach(each ->
                            found.put(each.getKey(), home.resolve(each.getValue().stringValue())));
        } catch (JacksonException | IllegalArgumentException malformed) {
            throw new BakeFailed("The package.json of %s cannot be read.".formatted(of.words()));
        }
        return found.entrySet().stream()
                .filter(each -> isOf(home, each.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().normalize()));
    }

    private static boolean isOf(Path home, Path program) {
        return program.normalize().startsWith(home) && Files.isRegularFile(program);
    }

    /// Removes those that nothing names any more since a while, and what was left half done.
    ///
    /// @param named directories that are in use
    /// @return how many
    public int sweep(Set<Path> named) {
        var hashes =
                named.stream()
                        .filter(each -> each.startsWith(root) && !each.equals(root))
                        .map(each -> root.relativize(each).getName(0).toString())
                        .collect(Collectors.toSet());
        try {
            return files.sweep(hashes, clock.instant().minus(settings.releasedKeep()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
