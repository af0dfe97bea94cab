package dev.caisson.acceptance.bench.warm;

import dev.caisson.acceptance.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// One thing that is measured again and again, beside the bare process it is compared with.
///
/// @param bare what to compare with
/// @param kind of sandbox it runs in
/// @param thread whose files and sessions it uses
record Row(
        String name, Bare bare, String language, String code, Kind kind, Door door, String thread) {
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

    static final Row PYTHON = warm("Python", Bare.PYTHON, "python", "print(1)");
    static final Row SESSION = python("Python session", Kind.SESSION, Door.REST);
    static final Row NODE = warm("Node", Bare.NODE, "node", "console.log(1)");
    static final Row TYPESCRIPT =
            warm("TypeScript", Bare.NODE, "typescript", "console.log(1 as number)");
    static final Row BASH = warm("bash", Bare.BASH, "bash", "echo 1");
    static final Row COLD = python("Python, cold", Kind.COLD, Door.REST);

    /// On a server that has made its packages ready, as it does where nobody says otherwise.
    static final Row PACKAGES = warm("Python with packages", Bare.PYTHON, "python", "print(1)");

    private static final Row NUMPY =
            warm(
                    "Python with packages, import numpy",
                    Bare.PYTHON,
                    "python",
                    "import numpy\nprint(numpy.int64(1))");

    /// Of servers in which sandboxes wait.
    static List<Row> warm() {
        return List.of(
                PYTHON,
                python("Python over MCP", Kind.WARM, Door.MCP),
                inThread("bench"),
                SESSION,
                NODE,
                TYPESCRIPT,
                BASH);
    }

    static List<Row> withPackages() {
        return List.of(PACKAGES, NUMPY);
    }

    /// One of each language.
    static List<Row> languages() {
        return List.of(PYTHON, NODE, TYPESCRIPT, BASH);
    }

    static Row inThread(String thread) {
        return new Row(
                "Python, thread",
                Bare.PYTHON,
                "python",
                "print(1)",
                Kind.THREAD,
                Door.REST,
                thread);
    }

    private static Row python(String name, Kind kind, Door door) {
        return new Row(name, Bare.PYTHON, "python", "print(1)", kind, door, "bench-session");
    }

    private static Row warm(String name, Bare bare, String language, String code) {
        return new Row(name, bare, language, code, Kind.WARM, Door.REST, "");
    }

    boolean cold() {
        return kind == Kind.COLD;
    }

    /// Whether its p99 is a goal.
    boolean isLate() {
        return equals(PYTHON) || equals(PACKAGES);
    }

    ObjectNode arguments() {
        var arguments = Json.object().put("language", language).put("code", code);
        return switch (kind) {
            case WARM, COLD -> arguments;
            case THREAD -> arguments.put("thread_id", thread);
            case SESSION -> arguments.put("thread_id", thread).put("session", true);
        };
    }
}
