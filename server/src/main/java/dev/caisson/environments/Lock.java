package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lock of an environment: the packages it is made of, as pip and npm write them down.
///
/// Of pip's form only requirements are taken, with versions, markers and hashes. Options, addresses
/// and paths are refused: where packages come from is the operator's decision, and a source package
/// would run code while it is built.
///
/// @param python lines of a requirements file
/// @param node the text of a `package-lock.json`
/// @param preload Python modules that are imported before a program is known
public record Lock(Optional<String> python, Optional<String> node, List<String> preload) {
    /// The longest text of either kind.
    public static final int BYTES_MAX = 1 << 20;

    /// How many modules may be preloaded.
    public static final int PRELOAD_MAX = 16;

    private static final String VERSION =
            "(===|[<>=!~]=|<|>)\\s{0,10}[A-Za-z0-9][A-Za-z0-9.*+!_]{0,60}";
    private static final String VERSIONS =
            "(\\(?" + VERSION + "(\\s{0,10},\\s{0,10}" + VERSION + "){0,10}\\)?)?\\s{0,10}";
    private static final Pattern REQUIREMENT =
            Pattern.compile(
                    "[A-Za-z0-9][A-Za-z0-9._-]{0,127}(\\[[A-Za-z0-9._, -]{0,200}\\])?\\s{0,10}"
                            + VERSIONS
                            + "(;[A-Za-z0-9 ._<>=!'\"()-]{1,300})?"
                            + "(\\s{1,10}--hash=sha256:[0-9a-f]{64}){0,200}\\s{0,10}");
    private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*");
    private static final Pattern MODULE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]{0,127}");

    public Lock {
        preload = List.copyOf(preload);
        if (python.isEmpty() && node.isEmpty()) {
            throw refusal("An environment needs a lock for Python or for Node.js.");
        }
        python.ifPresent(text -> requireShort("python", text));
        node.ifPresent(text -> requireShort("node", text));
        python = python.map(Lock::requirements);
        node.ifPresent(Lock::packages);
        if (preload.size() > PRELOAD_MAX
                || !preload.stream().allMatch(name -> MODULE.matcher(name).matches())) {
            throw refusal(
                    "preload names at most %d Python modules, such as numpy."
                            .formatted(PRELOAD_MAX));
        }
    }

    private static Refusal refusal(String sentence) {
        return new Refusal(Reason.INVALID_ARGUMENT, sentence);
    }

    private static void requireShort(String member, String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            throw refusal("The lock %s is longer than %d bytes.".formatted(member, BYTES_MAX));
        }
    }

    /// Without comments, one requirement a line.
    private static String requirements(String text) {
        var lines =
                text.replace("\r\n", "\n")
                        .replaceAll("\\\\\n", " ")
                        .lines()
                        .map(line -> COMMENT.matcher(line).replaceAll("").strip())
                        .filter(line -> !line.isEmpty())
                        .toList();
        for (var line : lines) {
            if (!REQUIREMENT.matcher(line).matches()) {
                throw refusal(
                        "The Python lock has a line that is no requirement such as numpy==2.4.6: %s. Options, addresses and paths are not taken."
                                .formatted(shortened(line)));
            }
        }
        if (lines.isEmpty()) {
            throw refusal("The Python lock names no package.");
        }
        return lines.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    private static String shortened(String line) {
        return line.length() <= 80 ? line : line.substring(0, 80) + "…";
    }

    private static JsonNode packages(String text) {
        try {
            var tree = Json.parse(text.getBytes(StandardCharsets.UTF_8));
            if (tree.path("packages").path("").isObject()) {
                return tree;
            }
        } catch (JacksonException malformed) {
            throw refusal("The Node.js lock is not JSON: it must be a package-lock.json.");
        }
        throw refusal(
                "The Node.js lock must be a package-lock.json of npm 7 or newer, with packages.");
    }

    /// The `package.json` that belongs to the lock.
    Optional<String> packageJson() {
        return node.map(text -> {
            var root = (ObjectNode) packages(text).path("packages").path("").deepCopy();
            root.put("name", "environment").put("private", true).remove("scripts");
            return Json.text(root);
        });
    }

    /// Names the environment: the same packages for the same interpreters on the same kind of
    /// machine have the same hash.
    ///
    /// @param interpreters for which they are, such as `python 3.11`
    String hash(String interpreters) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var part :
                    List.of(
                            "environment 1",
                            interpreters,
                            System.getProperty("os.arch"),
                            python.orElse(""),
                            node.orElse(""),
                            String.join(",", preload))) {
                digest.update((part.length() + ":" + part).getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
