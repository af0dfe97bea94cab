package dev.caisson.sandbox.runners;

import dev.caisson.sandbox.Language;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Requirements of an interpreter: what is asked of it before it is offered.
///
/// @param paths where it may be, inside
/// @param question a program that prints its version
/// @param major at least this
/// @param minor and this, if the major one is the same
/// @param remedy what to do when there is none
public record Interpreter(
        List<String> paths, String question, int major, int minor, String remedy) {
    /// What turns TypeScript into JavaScript stands before what runs that.
    private static final Pattern VERSION =
            Pattern.compile(
                    "(?:\\d[\\w.-]{0,30} \\(esbuild\\) on Node\\.js )?(\\d{1,6})\\.(\\d{1,6})[^\\n]{0,100}");

    private static final String TYPESCRIPT_QUESTION =
            """
            import { execFileSync } from 'node:child_process'
            const esbuild: string = `/run/guest/node/node_modules/@esbuild/${process.platform}-${process.arch}/bin/esbuild`
            const version: string = execFileSync(esbuild, ['--version'], { encoding: 'utf8' }).trim()
            console.log(`${version} (esbuild) on Node.js ${process.versions.node}`)
            """;

    public Interpreter {
        paths = List.copyOf(paths);
    }

    public static Interpreter of(Language language) {
        var node = List.of("/usr/bin/node", "/usr/local/bin/node", "/usr/bin/nodejs");
        return switch (language) {
            case PYTHON ->
                    new Interpreter(
                            List.of("/usr/bin/python3", "/usr/local/bin/python3"),
                            "import platform\nprint(platform.python_version())",
                            3,
                            11,
                            "Install Python 3.11 or newer under /usr (package python3).");
            case NODE ->
                    new Interpreter(
                            node,
                            "console.log(process.versions.node)",
                            20,
                            0,
                            "Install Node.js 20 or newer under /usr. Where the package nodejs is"
                                    + " older: npm install -g node@22");
            case TYPESCRIPT ->
                    new Interpreter(
                            node,
                            TYPESCRIPT_QUESTION,
                            20,
                            0,
                            "Install Node.js 20 or newer under /usr (where the package nodejs is"
                                    + " older: npm install -g node@22) and npm, and start again.");
            case BASH ->
                    new Interpreter(
                            List.of("/usr/bin/bash", "/bin/bash", "/usr/local/bin/bash"),
                            "echo \"${BASH_VERSION%%(*}\"",
                            4,
                            0,
                            "Install bash 4 or newer (package bash).");
        };
    }

    /// The version in what it printed, if it is new enough.
    public Optional<String> accept(String printed) {
        var matcher = VERSION.matcher(printed.strip());
        return matcher.matches() && isEnough(matcher)
                ? Optional.of(matcher.group())
                : Optional.empty();
    }

    private boolean isEnough(Matcher version) {
        int ownMajor = Integer.parseInt(version.group(1));
        int ownMinor = Integer.parseInt(version.group(2));
        return ownMajor > major || (ownMajor == major && ownMinor >= minor);
    }
}
