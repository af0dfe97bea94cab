package dev.caisson.acceptance.bench.warm;

import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// One thing that is measured again and again, beside the bare process it is compared with.
///
/// @param bare what to compare with
/// @param thread the workspace it is run in; empty for one of its own
/// @param cold on a server in which no sandbox waits
/// @param goal the ratio of the medians that is aimed at
record Row(
        String name,
        Bare bare,
        String language,
        String code,
        Optional<String> thread,
        boolean cold,
        double goal) {
    /// The smallest program of an interpreter without a sandbox: the interpreters that sandboxes
    /// use too, for another of the same name may stand before them on this machine.
    enum Bare {
        PYTHON,
        NODE,
        BASH;

        List<String> command() {
            return switch (this) {
                case PYTHON -> List.of("/usr/bin/python3", "-c", "print(1)");
                case NODE -> List.of("/usr/bin/node", "-e", "console.log(1)");
                case BASH -> List.of("/usr/bin/bash", "-c", "echo 1");
            };
        }
    }

    static final Row PYTHON = warm("python", Bare.PYTHON, "python", "print(1)", 0.2);

    /// The first decides what the pool must have ready.
    static List<Row> all() {
        return List.of(
                PYTHON,
                new Row(
                        "python, thread",
                        Bare.PYTHON,
                        "python",
                        "print(1)",
                        Optional.of("bench"),
                        false,
                        0.25),
                warm("node", Bare.NODE, "node", "console.log(1)", 0.2),
                warm("typescript", Bare.NODE, "typescript", "console.log(1 as number)", 0.25),
                warm("bash", Bare.BASH, "bash", "echo 1", 1.5),
                new Row(
                        "python, cold",
                        Bare.PYTHON,
                        "python",
                        "print(1)",
                        Optional.empty(),
                        true,
                        2.2));
    }

    private static Row warm(String name, Bare bare, String language, String code, double goal) {
        return new Row(name, bare, language, code, Optional.empty(), false, goal);
    }

    ObjectNode arguments() {
        var arguments = Json.object().put("language", language).put("code", code);
        thread.ifPresent(id -> arguments.put("thread_id", id));
        return arguments;
    }
}
