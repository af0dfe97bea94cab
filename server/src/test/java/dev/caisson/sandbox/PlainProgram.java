package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A program that asks its process everything it can, and the interpreter that runs it.
enum PlainProgram {
    PYTHON(Language.PYTHON, "Python", "main.py", "probe.py"),
    NODE(Language.NODE, "Node", "main.js", "probe.js probe-commonjs.js probe-say.js"),
    NODE_MODULE(Language.NODE, "Node modules", "main.mjs", "probe-module.js probe.js probe-say.js"),
    TYPESCRIPT(Language.TYPESCRIPT, "TypeScript", "main.mjs", "probe.js probe-say.js"),
    BASH(Language.BASH, "bash", "main.sh", "probe.sh");

    private static final Pattern IGNORED = Pattern.compile("(SigIgn\\W+)([0-9a-f]{16})");

    /// The signals 32 and 33.
    private static final long INHERITED = 3L << 31;

    private final Language language;
    private final String title;
    private final String file;
    private final String parts;

    /// @param parts of the program, with a space between
    PlainProgram(Language language, String title, String file, String parts) {
        this.language = language;
        this.title = title;
        this.file = file;
        this.parts = parts;
    }

    Language language() {
        return language;
    }

    /// The heading of its differences in `docs/guests.md`.
    String title() {
        return title;
    }

    String code() {
        return List.of(parts.split(" ", -1)).stream()
                .map(PlainProgram::part)
                .collect(Collectors.joining());
    }

    private static String part(String name) {
        try (var part = PlainProgram.class.getResourceAsStream(name)) {
            return new String(part.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// What it prints on this host, with the names places have in a sandbox.
    ///
    /// @param interpreter that the sandbox uses too
    /// @param directory that is empty
    String runPlainly(String interpreter, Path directory) throws IOException, InterruptedException {
        var job = Files.createDirectories(directory.resolve("run/job"));
        var workspace = Files.createDirectory(directory.resolve("workspace"));
        var program = Files.writeString(job.resolve(file), code());
        // Whoever runs this test may ignore signals.
        var builder =
                new ProcessBuilder("env", "--default-signal", interpreter, program.toString());
        builder.directory(workspace.toFile());
        builder.environment().clear();
        environment()
                .forEach((name, value) ->
                        builder.environment()
                                .put(name, value.replace("/workspace", workspace.toString())));
        var process = builder.start();
        process.getOutputStream().close();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(errors);
        }
        return asInside(printed, directory);
    }

    private String asInside(String printed, Path directory) {
        var text = printed;
        for (int names = directory.getNameCount(); names > 0; names--) {
            var above = directory.subpath(0, names);
            text = text.replace("\"/%s/node_modules\",".formatted(above), "");
        }
        text =
                text.replace(directory + "/run", "/run")
                        .replace(directory + "/workspace", "/workspace");
        text = withoutInherited(text);
        return language == Language.TYPESCRIPT ? text.replace("main.mjs", "main.ts") : text;
    }

    /// The C library keeps the first real-time signals to itself: `env` cannot reset them where
    /// whoever runs this test ignores them.
    private static String withoutInherited(String text) {
        return IGNORED.matcher(text)
                .replaceAll(found ->
                        found.group(1)
                                + HexFormat.of()
                                        .toHexDigits(
                                                HexFormat.fromHexDigitsToLong(found.group(2))
                                                        & ~INHERITED));
    }

    private static Map<String, String> environment() {
        var job =
                new String(
                        ProgramEnvironment.job(LimitHints.of(Rig.LIMITS)), StandardCharsets.UTF_8);
        return job.lines()
                .flatMap(line -> List.of(line.split("\0", -1)).stream())
                .filter(entry -> !entry.isEmpty())
                .map(entry -> entry.split("=", 2))
                .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1]));
    }

    /// Member by member.
    Map<String, String> members(String printed) {
        var members = new TreeMap<String, String>();
        if (language == Language.BASH) {
            printed.lines()
                    .map(line -> line.split("\t", 2))
                    .forEach(each -> members.put(each[0], each[1]));
        } else {
            Json.parse(printed.getBytes(StandardCharsets.UTF_8))
                    .forEachEntry((name, value) -> members.put(name, value.toString()));
        }
        return members;
    }
}
