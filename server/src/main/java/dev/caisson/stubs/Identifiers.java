package dev.caisson.stubs;

import dev.caisson.call.Digests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Identifiers of a tool in programs: the name of its function in Python and in JavaScript. A name
/// that was given stays; a tool that comes later takes one that is free.
///
/// @param python lower case with underscores, such as `get_document`
/// @param javaScript in camel case, such as `getDocument`
public record Identifiers(String python, String javaScript) {
    private static final Pattern SEPARATORS = Pattern.compile("[^A-Za-z0-9]+");
    private static final Pattern WORDS = Pattern.compile("(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+");
    private static final int HASH_DIGITS_MIN = 4;

    /// Gives names to all tools of a server that have none yet, in the order of their names.
    ///
    /// @param tools their names at the server
    /// @param kept what was given before, also to tools that are gone
    /// @return the names of all tools, and those that were kept
    public static Map<String, Identifiers> assign(
            Collection<String> tools, Map<String, Identifiers> kept) {
        var all = new LinkedHashMap<>(kept);
        var python = new HashSet<String>();
        var javaScript = new HashSet<String>();
        kept.values()
                .forEach(names -> {
                    python.add(names.python());
                    javaScript.add(names.javaScript());
                });
        for (var tool : new TreeSet<>(tools)) {
            if (!all.containsKey(tool)) {
                var names = of(tool, python, javaScript);
                python.add(names.python());
                javaScript.add(names.javaScript());
                all.put(tool, names);
            }
        }
        return all;
    }

    /// The names of one tool beside those that are taken.
    ///
    /// @param tool its name at the server
    public static Identifiers of(
            String tool, Set<String> takenPython, Set<String> takenJavaScript) {
        return new Identifiers(
                free(python(tool), tool, takenPython),
                free(javaScript(tool), tool, takenJavaScript));
    }

    /// The module of a server: `google-drive` is `google_drive`, and `1password` is `t_1password`.
    public static String module(String server) {
        var name = server.replace('-', '_');
        return startsWithDigit(name) ? "t_" + name : name;
    }

    /// The name a tool has where nothing is in its way.
    static String python(String tool) {
        return usable(
                String.join("_", words(tool)).toLowerCase(Locale.ROOT), "t_", ReservedWords.PYTHON);
    }

    static String javaScript(String tool) {
        return usable(camelCase(words(tool)), "t", ReservedWords.JAVA_SCRIPT);
    }

    /// The name by the plain split, which is an alias where it is free: `getDocument` in Python.
    static String plainPython(String tool) {
        return usable(String.join("_", parts(SEPARATORS, tool)), "t_", ReservedWords.PYTHON);
    }

    static String plainJavaScript(String tool) {
        var joined = new StringBuilder();
        for (var part : parts(SEPARATORS, tool)) {
            joined.append(joined.isEmpty() ? part : capitalised(part));
        }
        return usable(joined.toString(), "t", ReservedWords.JAVA_SCRIPT);
    }

    /// As the first part of the name of a type.
    static String typeName(String text) {
        var name = new StringBuilder();
        words(text).forEach(word -> name.append(capitalised(word)));
        return name.isEmpty() ? "Value" : startsWithDigit(name) ? "T" + name : name.toString();
    }

    private static List<String> words(String text) {
        return parts(WORDS, text);
    }

    private static List<String> parts(Pattern separators, String text) {
        return separators.splitAsStream(text).filter(part -> !part.isEmpty()).toList();
    }

    private static String camelCase(List<String> words) {
        var joined = new StringBuilder();
        for (var word : words) {
            var lower = word.toLowerCase(Locale.ROOT);
            joined.append(joined.isEmpty() ? lower : capitalised(lower));
        }
        return joined.toString();
    }

    private static String capitalised(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static String usable(String name, String beforeDigit, Set<String> reserved) {
        if (name.isEmpty()) {
            return "tool";
        }
        var started = startsWithDigit(name) ? beforeDigit + name : name;
        return reserved.contains(started) ? started + "_" : started;
    }

    private static boolean startsWithDigit(CharSequence name) {
        return name.charAt(0) >= '0' && name.charAt(0) <= '9';
    }

    /// A name that is taken gets digits that depend on nothing but the tool's own name.
    private static String free(String wanted, String tool, Set<String> taken) {
        if (!taken.contains(wanted)) {
            return wanted;
        }
        var hash = Digests.sha256Hex(tool.getBytes(StandardCharsets.UTF_8));
        var tries = new ArrayList<String>();
        for (int digits = HASH_DIGITS_MIN; digits <= hash.length(); digits++) {
            tries.add(wanted + "_" + hash.substring(0, digits));
        }
        return tries.stream().filter(name -> !taken.contains(name)).findFirst().orElseThrow();
    }
}
