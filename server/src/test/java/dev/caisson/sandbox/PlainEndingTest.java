package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A program of Python ends as it does on this host: with the same status, after the same output
/// and the same errors. Each program of `endings.py` ends in a way of its own. Those that do not
/// end the same stand in `docs/guests.md`, and all that stand there do not.
@Tag("root")
@ExtendWith(Rig.Shared.class)
abstract class PlainEndingTest {
    private static final String TITLE = "#--- ";
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{6,}");
    private static final int ENDINGS_MIN = 70;
    private static final int BY_SIGNAL = 128;

    private final Rig rig;

    PlainEndingTest(Rig rig) {
        this.rig = rig;
    }

    /// @param status as a shell says it
    private record Ending(int status, String output, String errors) {}

    @Test
    void a_program_ends_as_with_a_plain_interpreter(@TempDir Path directory) throws Exception {
        var endings = endings();
        assertThat(endings).hasSizeGreaterThan(ENDINGS_MIN);
        var differing = new TreeMap<String, String>();
        for (var each : endings) {
            var title = each.lines().findFirst().orElseThrow();
            var program = each.substring(title.length() + 1);
            var plain = plain(program, directory);
            var inside = inside(program);
            if (!plain.equals(inside)) {
                differing.put(title, "%n  plain:  %s%n  inside: %s".formatted(plain, inside));
            }
        }
        assertThat(differing.keySet())
                .as("what docs/guests.md does not say, or no longer: %s", differing)
                .isEqualTo(GuestDifferences.documented("Ends of Python"));
    }

    private static List<String> endings() throws IOException {
        try (var file = PlainEndingTest.class.getResourceAsStream("endings.py")) {
            var text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split(TITLE, -1)).filter(each -> !each.isEmpty()).toList();
        }
    }

    private Ending inside(String program) throws InterruptedException {
        var result = rig.run(Language.PYTHON, program);
        int status =
                switch (result.outcome()) {
                    case Outcome.Exited(int code, var _, var _) -> code;
                    case Outcome.Signalled(int signal, var _, var _) -> BY_SIGNAL + signal;
                    default -> throw new AssertionError("neither: " + result);
                };
        return new Ending(status, comparable(result.stdout()), comparable(result.stderr()));
    }

    private static Ending plain(String program, Path directory) throws Exception {
        var job = Files.createDirectories(directory.resolve("run/job"));
        var file = Files.writeString(job.resolve("main.py"), program);
        var process =
                new ProcessBuilder(
                                "prlimit",
                                "--core=0",
                                "env",
                                "-i",
                                "--default-signal",
                                "LC_ALL=C.UTF-8",
                                "/usr/bin/python3",
                                file.toString())
                        .directory(directory.toFile())
                        .start();
        process.getOutputStream().close();
        var errors = CompletableFuture.supplyAsync(() -> text(process.errorReader().lines()));
        var output = text(process.inputReader().lines());
        int status = process.waitFor();
        return new Ending(
                status,
                comparable(output.replace(directory + "/run", "/run")),
                comparable(errors.get().replace(directory + "/run", "/run")));
    }

    private static String text(Stream<String> lines) {
        return String.join("\n", lines.toList());
    }

    private static String comparable(String text) {
        return ADDRESS.matcher(text.strip()).replaceAll("0x");
    }
}
