package dev.caisson.sandbox;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Runner: a language made ready to run, with the packages its programs find.
///
/// @param name unique, such as `python`
/// @param version as the interpreter itself says it
/// @param image what it is made of: `host`, or the name of an image directory
/// @param environments packages shown to its programs, in the order in which they are looked for
public record Runner(
        String name,
        Language language,
        String version,
        String image,
        List<PackageEnvironment> environments) {
    /// The image of what this machine has itself.
    public static final String HOST = "host";

    private static final Pattern TYPESCRIPT =
            Pattern.compile("(\\S+) \\(esbuild\\) on (Node\\.js .*)");

    public Runner {
        environments = List.copyOf(environments);
    }

    /// One without packages of ours.
    public Runner(String name, Language language, String version, String image) {
        this(name, language, version, image, List.of());
    }

    /// Such as `python 3.11.2`. TypeScript has no version of its own here: its types are stripped
    /// and Node.js runs the rest.
    public String title() {
        return titled(name);
    }

    /// The same under another name.
    public String titled(String word) {
        var made = TYPESCRIPT.matcher(version);
        return language == Language.TYPESCRIPT && made.matches()
                ? "%s on %s (types stripped by esbuild %s)"
                        .formatted(
                                word.replaceFirst("^typescript", "TypeScript"),
                                made.group(2),
                                made.group(1))
                : word + " " + version;
    }

    /// A runner that could not be made ready, and what to do about it.
    public record Missing(Language language, String why, String remedy) {}

    /// The same with other packages.
    public Runner with(List<PackageEnvironment> others) {
        return new Runner(name, language, version, image, others);
    }

    /// Environments are made for the interpreters of this machine; an image has its own packages.
    public boolean takesEnvironments() {
        return image.equals(HOST);
    }

    /// The environment variables of a program, where it also finds the packages.
    ///
    /// @param env what the run sets
    public Map<String, String> variables(Map<String, String> env) {
        return PackageEnvironment.variables(environments, env);
    }
}
