package dev.caisson.policy;

import dev.caisson.json.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/// File of rules: a list, in YAML or JSON.
///
/// ```yaml
/// - name: deletes need a person
///   when: {server: github, tool: "delete_*"}
///   decide: ask
/// ```
public final class PolicyFile {
    /// More than this is no file of rules.
    public static final int BYTES_MAX = 1 << 20;

    /// How many rules there may be in a file, and as many in the database.
    public static final int RULES_MAX = 500;

    private static final Pattern SHOWN = Pattern.compile("[\\p{Print}]{1,80}");

    private PolicyFile() {}

    /// The rules in their order.
    ///
    /// @throws RuleMistakes with every mistake in the file
    public static List<Rule> read(Path file) throws RuleMistakes {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw unusable("is larger than " + BYTES_MAX + " bytes", "Make it smaller.");
            }
            return parse(Files.readString(file));
        } catch (IOException _) {
            throw unusable(
                    "cannot be read", "Give a file of UTF-8 text, or leave policy.file out.");
        }
    }

    /// @throws RuleMistakes with every mistake in the text
    public static List<Rule> parse(String text) throws RuleMistakes {
        var read = yaml(text);
        return rules(read.tree(), place -> OptionalInt.of(read.line(place)));
    }

    /// The same of rules that are JSON already.
    ///
    /// @throws RuleMistakes with every mistake in them
    public static List<Rule> parse(JsonNode list) throws RuleMistakes {
        return rules(list, _ -> OptionalInt.empty());
    }

    private static List<Rule> rules(JsonNode tree, Function<JsonPointer, OptionalInt> lines)
            throws RuleMistakes {
        if (tree.isMissingNode() || tree.isNull()) {
            return List.of();
        }
        if (!tree.isArray()) {
            throw unusable(
                    "is not a list of rules",
                    "Write lines such as - {name: no deletes, when: {tool: \"delete_*\"}, decide: deny}.");
        }
        if (tree.size() > RULES_MAX) {
            throw unusable("has more than " + RULES_MAX + " rules", "Write fewer.");
        }
        return each(tree, lines);
    }

    private static List<Rule> each(JsonNode tree, Function<JsonPointer, OptionalInt> lines)
            throws RuleMistakes {
        var rules = new ArrayList<Rule>();
        var mistakes = new ArrayList<RuleMistake>();
        var names = new HashSet<String>();
        for (int i = 0; i < tree.size(); i++) {
            var place = JsonPointer.empty().appendIndex(i);
            var written = tree.get(i);
            var shown = shown(written.path("name").asString(""), i);
            try {
                var rule = RuleReader.read(written);
                rules.add(rule);
                if (!names.add(rule.name())) {
                    mistakes.add(
                            new RuleMistake(
                                            "name",
                                            "is that of another rule",
                                            "Write one that no other rule has.")
                                    .of(shown, lines.apply(place)));
                }
            } catch (RuleMistakes wrong) {
                wrong.all()
                        .forEach(mistake ->
                                mistakes.add(mistake.of(shown, line(lines, place, mistake))));
            }
        }
        if (!mistakes.isEmpty()) {
            mistakes.sort(Comparator.comparingInt(mistake -> mistake.line().orElse(0)));
            throw new RuleMistakes(mistakes);
        }
        return rules;
    }

    /// Of the member that the mistake names, or of the rule.
    private static OptionalInt line(
            Function<JsonPointer, OptionalInt> lines, JsonPointer rule, RuleMistake mistake) {
        var pointer = rule;
        for (var member : mistake.place().split("\\.", -1)) {
            pointer = pointer.appendProperty(member);
        }
        return lines.apply(pointer);
    }

    private static String shown(String name, int index) {
        return SHOWN.matcher(name).matches() ? name : "Rule " + (index + 1);
    }

    private static Yaml yaml(String text) throws RuleMistakes {
        try {
            return Yaml.parse(text);
        } catch (Yaml.Malformed wrong) {
            throw unusable(wrong.problem(), "Correct it; a name may stand once in a map.");
        }
    }

    private static RuleMistakes unusable(String problem, String remedy) {
        return new RuleMistakes(List.of(new RuleMistake("The file", problem, remedy)));
    }
}
