package dev.caisson.sandbox.runners;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Candidate;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Root;
import dev.caisson.sandbox.Runner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Candidates of this machine, for runtimes whose sandboxes are made of its own directories: the
/// interpreters of the host, then image directories.
public final class LocalCandidates {
    private LocalCandidates() {}

    /// @param etc shown inside as `/etc`
    /// @param guests the product's guests, as they are shown inside
    /// @param images directories with runners of their own, see [ImageManifest]
    public static List<Candidate> find(Path etc, Path guests, Optional<Path> images)
            throws IOException {
        var all = new ArrayList<Candidate>();
        var root = Root.ofHost(etc);
        for (var language : Language.values()) {
            all.add(ofHost(language, root, guests));
        }
        for (var image : ImageManifest.in(images)) {
            var boot = Boot.of(image.language(), Root.ofImage(image.root()), image.entry());
            all.add(
                    new Candidate.Bootable(
                            image.name(), image.language(), image.name(), List.of(boot)));
        }
        return all;
    }

    private static Candidate ofHost(Language language, Root root, Path guests) throws IOException {
        var interpreter = Interpreter.of(language);
        var paths = interpreter.paths().stream().filter(LocalCandidates::isReachable).toList();
        if (paths.isEmpty()) {
            var places = String.join(", ", interpreter.paths());
            return absent(language, "There is none of " + places + ".", interpreter.remedy());
        }
        if (language == Language.TYPESCRIPT && !hasTranspiler(guests)) {
            return absent(language, "The transpiler is not there.", interpreter.remedy());
        }
        var boots = paths.stream().map(path -> Boot.of(language, root, path)).toList();
        return new Candidate.Bootable(language.word(), language, "host", boots);
    }

    private static Candidate absent(Language language, String why, String remedy) {
        return new Candidate.Absent(new Runner.Missing(language, why, remedy));
    }

    /// An interpreter that is a link to somewhere else than `/usr` is not there inside.
    private static boolean isReachable(String path) {
        try {
            return Path.of(path).toRealPath().startsWith("/usr")
                    && Files.isExecutable(Path.of(path));
        } catch (IOException none) {
            return false;
        }
    }

    private static boolean hasTranspiler(Path guests) throws IOException {
        var packages = guests.resolve("node/node_modules/@esbuild");
        if (!Files.isDirectory(packages)) {
            return false;
        }
        try (Stream<Path> platforms = Files.list(packages)) {
            return platforms.anyMatch(each -> Files.isExecutable(each.resolve("bin/esbuild")));
        }
    }
}
