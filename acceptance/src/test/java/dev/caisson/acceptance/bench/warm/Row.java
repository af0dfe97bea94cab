package dev.caisson.acceptance.bench.warm;

import dev.caisson.json.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// One thing that is measured again and again, beside the bare process it is compared with.
///
/// @param bare what to compare with
/// @param kind of sandbox it runs in
/// @param goal the ratio of the medians that is aimed at
record Row(
        String name, Bare bare, String language, String code, Kind kind, Door door, double goal) {
    enum Kind {
        /// One that waits, with a workspace of its own.
        WARM,
        /// One that waits, with the workspace of a thread.
        THREAD,
        /// The thread's own, whose interpreter stays.
        SESSION,
        /// One that is made for the run, on a server in which none waits.
        COLD
    }

    enum Door {
        MCP,
        REST
    }

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
                python("python, REST", Kind.WARM, Door.REST, 0.2),
                python("python, thread", Kind.THREAD, Door.MCP, 0.25),
                python("python, session", Kind.SESSION, Door.MCP, 0.1),
                warm("node", Bare.NODE, "node", "console.log(1)", 0.2),
                warm("typescript", Bare.NODE, "typescript", "console.log(1 as number)", 0.25),
                warm("bash", Bare.BASH, "bash", "echo 1", 1.5),
                python("python, cold", Kind.COLD, Door.MCP, 2.2));
    }

    private static Row python(String name, Kind kind, Door door, double goal) {
        return new Row(name, Bare.PYTHON, "python", "print(1)", kind, door, goal);
    }

    private static Row warm(String name, Bare bare, String language, String code, double goal) {
        return new Row(name, bare, language, code, Kind.WARM, Door.MCP, goal);
    }

    boolean cold() {
        return kind == Kind.COLD;
    }

    ObjectNode arguments() {
        var arguments = Json.object().put("language", language).put("code", code);
        return switch (kind) {
            case WARM, COLD -> arguments;
            case THREAD -> arguments.put("thread_id", "bench");
            case SESSION -> arguments.put("thread_id", "bench-session").put("session", true);
        };
    }
}
