package dev.caisson.acceptance.transcript;

import dev.caisson.acceptance.Json;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the placeholders of a transcript stand for.
final class Words {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^}]+)}}");
    private static final String PREFIX = "io.modelcontextprotocol/";

    private final Map<String, String> known = new HashMap<>();

    void remember(String name, String value) {
        known.put(name, value);
    }

    /// Puts in every value that is known. What is only a pattern stays.
    String fill(String text) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(value(match.group(1))));
    }

    private String value(String inside) {
        var words = inside.split(" ", -1);
        return switch (words[0]) {
            case "meta" -> meta(words);
            case "x" -> "x".repeat(Integer.parseInt(words[1]));
            case "digits" -> "7".repeat(Integer.parseInt(words[1]));
            case "deep" -> deep(Integer.parseInt(words[1]));
            default -> known.getOrDefault(inside, "{{" + inside + "}}");
        };
    }

    private static String meta(String[] words) {
        var capabilities = Json.object();
        for (var word : Arrays.asList(words).subList(1, words.length)) {
            if (word.equals("tasks")) {
                capabilities.putObject("extensions").putObject(PREFIX + "tasks");
            } else {
                capabilities.putObject(word);
            }
        }
        var meta = Json.object();
        meta.put(PREFIX + "protocolVersion", "2026-07-28");
        meta.set(PREFIX + "clientCapabilities", capabilities);
        return Json.text(meta);
    }

    private static String deep(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }
}
