package dev.caisson.acceptance.transcript;

import dev.caisson.acceptance.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A string with placeholders.
final class TextPattern {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]+)}}");

    private TextPattern() {}

    /// A string that is one placeholder may stand for a value of any kind; otherwise the value must
    /// be a string.
    static Optional<String> mismatch(String path, String wanted, JsonNode value, Words words) {
        var fits =
                switch (wanted) {
                    case "{{any}}" -> true;
                    case "{{number}}" -> value.isNumber();
                    case "{{boolean}}" -> value.isBoolean();
                    default -> value.isString() && matches(wanted, value.asString(), words);
                };
        return fits ? Optional.empty() : JsonPattern.differs(path, Json.tree(wanted), value);
    }

    /// Whether a text fits; what has a name is remembered.
    static boolean matches(String wanted, String text, Words words) {
        if (!wanted.contains("{{")) {
            return wanted.equals(text);
        }
        var names = new ArrayList<String>();
        var expression = new StringBuilder();
        var placeholder = PLACEHOLDER.matcher(wanted);
        int end = 0;
        while (placeholder.find()) {
            expression.append(Pattern.quote(wanted.substring(end, placeholder.start())));
            expression.append(group(placeholder.group(1), names));
            end = placeholder.end();
        }
        expression.append(Pattern.quote(wanted.substring(end)));
        var found = Pattern.compile(expression.toString(), Pattern.DOTALL).matcher(text);
        if (!found.matches()) {
            return false;
        }
        for (int i = 0; i < names.size(); i++) {
            words.remember(names.get(i), found.group(i + 1));
        }
        return true;
    }

    private static String group(String inside, List<String> names) {
        if (inside.startsWith("~")) {
            return "(?:" + inside.substring(1) + ")";
        }
        var equals = inside.indexOf('=');
        if (equals > 0) {
            names.add(inside.substring(0, equals));
            return "(.+?)";
        }
        return switch (inside) {
            case "any" -> ".*?";
            case "text" -> ".+?";
            case "number" -> "-?\\d+";
            default -> throw new IllegalArgumentException("nobody remembered {{" + inside + "}}");
        };
    }
}
