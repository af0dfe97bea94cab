package dev.caisson.stubs;

import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Generator of the files by which programs call the tools of a server: one module for Python and
/// one for Node.js, each with a stub that models read. The same tools always make the same files.
///
/// Files hold names, types and text, never rules. All text of a server is data in them.
public final class Generator {
    /// Of what is generated from the same tools; part of the name of what was made by another one.
    public static final int VERSION = 2;

    /// How much of the hash of a definition a file has, in hexadecimal digits.
    static final int HASH_DIGITS = 8;

    /// Names the stubs themselves use.
    private static final Set<String> STUB_NAMES =
            Set.of("Any", "Literal", "NotRequired", "TypedDict", "Array", "Promise", "Record");

    private static final String RUNTIME = "/run/guest/lib/node/caisson/index.mjs";

    private Generator() {}

    /// The files of a module of whose results nothing was learned.
    public static Map<String, String> module(String module, List<ToolSpec> tools) {
        return module(module, tools, Learned.NOTHING);
    }

    /// @param tools of one server
    /// @return text by path, such as `github/index.js`
    public static Map<String, String> module(String module, List<ToolSpec> tools, Learned learned) {
        var ordered =
                tools.stream()
                        .sorted(Comparator.comparing(tool -> tool.effectiveOrigin().function()))
                        .toList();
        var python = aliases(ordered, ToolOrigin::function, Identifiers::plainPython);
        var script = aliases(ordered, ToolOrigin::jsFunction, Identifiers::plainJavaScript);
        var taken = new HashSet<>(STUB_NAMES);
        taken.addAll(python.keySet());
        taken.addAll(script.keySet());
        ordered.forEach(tool -> taken.add(tool.effectiveOrigin().function()));
        ordered.forEach(tool -> taken.add(tool.effectiveOrigin().jsFunction()));
        var functions =
                ordered.stream()
                        .map(tool ->
                                StubFunction.of(tool, taken, learned.of(tool.effectiveOrigin())))
                        .toList();
        var files = new TreeMap<String, String>();
        files.put(module + "/__init__.py", pythonModule(module, functions, python));
        files.put(module + "/__init__.pyi", pythonStubs(functions));
        files.put(module + "/index.js", scriptModule(module, functions, script));
        files.put(module + "/index.d.ts", scriptStubs(functions));
        return files;
    }

    /// The plain names that are free, and the functions they mean.
    private static Map<String, String> aliases(
            List<ToolSpec> tools,
            Function<ToolOrigin, String> identifier,
            Function<String, String> plain) {
        var taken = new HashSet<String>(STUB_NAMES);
        tools.forEach(tool -> taken.add(identifier.apply(tool.effectiveOrigin())));
        var free = new HashMap<String, Integer>();
        tools.forEach(
                tool -> free.merge(plain.apply(tool.effectiveOrigin().tool()), 1, Integer::sum));
        var aliases = new TreeMap<String, String>();
        for (var tool : tools) {
            var name = plain.apply(tool.effectiveOrigin().tool());
            if (!taken.contains(name) && free.getOrDefault(name, 0) == 1) {
                aliases.put(name, identifier.apply(tool.effectiveOrigin()));
            }
        }
        return aliases;
    }

    private static String pythonModule(
            String module, List<StubFunction> functions, Map<String, String> aliases) {
        var text = new StringBuilder("from caisson import wrappers\nwrappers.fill(globals(), ");
        text.append(SourceText.python(module)).append(", (\n");
        for (var function : functions) {
            text.append("    (")
                    .append(SourceText.python(function.origin().function()))
                    .append(", ")
                    .append(SourceText.python(function.origin().tool()))
                    .append(", ")
                    .append(SourceText.python(hash(function)))
                    .append(", ")
                    .append(SourceText.python(function.firstLine()))
                    .append("),\n");
        }
        text.append("), {");
        var pairs =
                aliases.entrySet().stream()
                        .map(each ->
                                SourceText.python(each.getKey())
                                        + ": "
                                        + SourceText.python(each.getValue()))
                        .toList();
        return text.append(String.join(", ", pairs)).append("})\n").toString();
    }

    private static String scriptModule(
            String module, List<StubFunction> functions, Map<String, String> aliases) {
        var text =
                new StringBuilder(
                        "import { wrapper } from " + SourceText.javaScript(RUNTIME) + ";\n");
        for (var function : functions) {
            text.append(
                    "export const %s = wrapper(%s, %s, %s, %s);\n"
                            .formatted(
                                    function.origin().jsFunction(),
                                    SourceText.javaScript(module),
                                    SourceText.javaScript(function.origin().tool()),
                                    SourceText.javaScript(hash(function)),
                                    SourceText.javaScript(function.firstLine())));
        }
        aliases.forEach(
                (alias, name) -> text.append("export { %s as %s };\n".formatted(name, alias)));
        return text.toString();
    }

    private static String hash(StubFunction function) {
        var hash = function.origin().definitionHash();
        return hash.substring(0, Math.min(HASH_DIGITS, hash.length()));
    }

    private static String pythonStubs(List<StubFunction> functions) {
        var text = new StringBuilder(PythonStub.HEAD);
        functions.forEach(function -> text.append("\n\n").append(PythonStub.of(function)));
        return text.toString();
    }

    private static String scriptStubs(List<StubFunction> functions) {
        var text = new StringBuilder();
        functions.forEach(function -> text.append(ScriptStub.of(function)).append('\n'));
        return text.append("export {};\n").toString();
    }
}
