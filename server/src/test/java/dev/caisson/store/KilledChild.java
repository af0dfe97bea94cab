package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A program in a process of its own that says what it has done, a line for each, and is killed in
/// the middle of it.
public final class KilledChild {
    private KilledChild() {}

    /// @param enough lines until it is killed
    /// @param shape of the lines that count, a regular expression
    /// @param program whose main method it runs
    /// @return what it said until then
    public static Set<String> said(int enough, String shape, Class<?> program, String... arguments)
            throws Exception {
        return said(enough, _ -> {}, shape, program, arguments);
    }

    /// Looks at something while the child that tells of it still lives.
    @FunctionalInterface
    public interface Look {
        void at(String line) throws Exception;
    }

    /// @param look gets every line before the child is killed for it
    public static Set<String> said(
            int enough, Look look, String shape, Class<?> program, String... arguments)
            throws Exception {
        var said = new HashSet<String>();
        var child = start(program, arguments);
        try (var output =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                look.at(line);
                if (line.matches(shape)) {
                    said.add(line);
                }
                if (said.size() == enough) {
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.toHandle().destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(said).hasSizeGreaterThanOrEqualTo(enough);
        return said;
    }

    /// It lives for a moment: a start that is fast matters, speed later does not.
    private static Process start(Class<?> program, String... arguments) throws Exception {
        var java =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName());
        return new ProcessBuilder(Stream.concat(java.stream(), Stream.of(arguments)).toList())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
