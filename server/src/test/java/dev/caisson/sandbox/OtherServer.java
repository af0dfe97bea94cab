package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Sandboxes in a process of their own, which can be another user's, and can be killed.
///
/// As a program it runs one script, of bash unless it is told otherwise, and prints the tier, the
/// outcome and the output. Its class path is copied to where every user can read it.
final class OtherServer {
    private OtherServer() {}

    /// @param before words to start it with, such as `setpriv --reuid=1234`
    static Process start(Path home, List<String> before, String script) throws IOException {
        return start(home, before, List.of(script));
    }

    /// One with nests.
    static Process startNested(Path home, Language language, String code) throws IOException {
        return start(home, List.of(), List.of(code, language.word()));
    }

    private static Process start(Path home, List<String> before, List<String> arguments)
            throws IOException {
        var classes = new ArrayList<String>();
        for (var entry : System.getProperty("java.class.path").split(":", -1)) {
            var copy = home.resolve("lib").resolve(Integer.toString(classes.size()));
            copy(Path.of(entry), copy);
            classes.add(copy.toString());
        }
        copy(Rig.guests(), home.resolve("guests"));
        var words = new ArrayList<>(before);
        words.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        words.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1"));
        words.addAll(List.of("-cp", String.join(":", classes), OtherServer.class.getName()));
        words.add(home.toString());
        words.addAll(arguments);
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent() == null ? to : to.getParent());
        try {
            var copied =
                    new ProcessBuilder("cp", "-rL", from.toString(), to.toString())
                            .inheritIO()
                            .start();
            if (Files.exists(from) && copied.waitFor() != 0) {
                throw new IOException("cannot copy " + from);
            }
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var home = Path.of(arguments[0]);
        Set<Layer> acceptable =
                EnumSet.of(
                        Layer.OWN_USER,
                        Layer.MEMORY_LIMIT,
                        Layer.PROCESS_LIMIT,
                        Layer.CPU_LIMIT,
                        Layer.BOUNDED_TMP,
                        Layer.WORKSPACE_LIMIT);
        boolean nested = arguments.length > 2;
        var maker = nested ? NestSettings.Maker.NEST : NestSettings.Maker.BUBBLEWRAP;
        var language = nested ? Language.of(arguments[2]).orElseThrow() : Language.BASH;
        var settings =
                new SettingsForTests(home.resolve("run"), home.resolve("guests"))
                        .accepting(acceptable)
                        .nest(
                                new NestSettings(
                                        maker,
                                        NestSettings.Beginning.FORK,
                                        NestSettings.SlotUse.KEEP))
                        .build();
        try (var sandboxes = Sandboxes.open(settings)) {
            System.out.println("tier " + sandboxes.isolation().tier().word());
            var runner = sandboxes.runners().of(language).orElseThrow();
            var workspace = Files.createDirectories(home.resolve("workspace"));
            Sink sink = (_, bytes, offset, length) -> System.out.write(bytes, offset, length);
            var limits = Limits.DEFAULT.withWall(Duration.ofSeconds(100));
            var run =
                    new Run(
                            "o",
                            runner,
                            arguments[1],
                            limits,
                            Map.of(),
                            new Workspace.Directory(workspace),
                            sink);
            System.out.println("outcome " + sandboxes.run(run).getClass().getSimpleName());
        }
        System.exit(0);
    }
}
