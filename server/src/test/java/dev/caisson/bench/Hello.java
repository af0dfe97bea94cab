package dev.caisson.bench;

import dev.caisson.sandbox.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The smallest program of a language, and how a person would run it without a sandbox. The
/// interpreter is the very file that sandboxes use: what `PATH` finds first may be a slower script.
///
/// @param bare a command; `FILE` stands for the program's file
record Hello(Language language, String code, List<String> bare) {
    static final String SAID = "hello\n";

    /// @param guests where the transpiler is that the sandbox uses too
    static List<Hello> all(Path guests) {
        var transpile =
                "'%s' --loader=ts < \"$0\" | /usr/bin/node --input-type=module -"
                        .formatted(esbuild(guests));
        var script = "console.log('hello')";
        return List.of(
                new Hello(Language.PYTHON, "print('hello')", List.of("/usr/bin/python3", "FILE")),
                new Hello(Language.NODE, script, List.of("/usr/bin/node", "FILE")),
                new Hello(Language.TYPESCRIPT, script, List.of("sh", "-c", transpile, "FILE")),
                new Hello(Language.BASH, "echo hello", List.of("/usr/bin/bash", "FILE")));
    }

    private static Path esbuild(Path guests) {
        var machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        return guests.resolve("node/node_modules/@esbuild/linux-" + machine + "/bin/esbuild");
    }

    /// Writes the program's file.
    ///
    /// @return the command that runs it
    List<String> written(Path directory) throws IOException {
        var file = Files.writeString(directory.resolve("hello-" + language.word()), code);
        return bare.stream().map(word -> word.equals("FILE") ? file.toString() : word).toList();
    }
}
