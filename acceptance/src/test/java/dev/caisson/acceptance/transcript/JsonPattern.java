package dev.caisson.acceptance.transcript;

import dev.caisson.acceptance.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// JSON with placeholders, compared with what really came.
final class JsonPattern {
    private static final Pattern MORE_IN_OBJECT = Pattern.compile("([{,])\\s*\\.\\.\\.\\s*}");
    private static final Pattern MORE_IN_ARRAY = Pattern.compile("([\\[,])\\s*\\.\\.\\.\\s*]");
    private static final String MORE = "...";

    private final JsonNode pattern;
    private final Words words;

    private JsonPattern(JsonNode pattern, Words words) {
        this.pattern = pattern;
        this.words = words;
    }

    static JsonPattern of(String text, Words words) {
        var objects = MORE_IN_OBJECT.matcher(words.fill(text)).replaceAll("$1\"...\":true}");
        var arrays = MORE_IN_ARRAY.matcher(objects).replaceAll("$1\"...\"]");
        return new JsonPattern(Json.parse(arrays), words);
    }

    /// Where the value differs from the pattern first; empty when it does not.
    Optional<String> mismatch(JsonNode value) {
        return mismatch("", pattern, value);
    }

    private Optional<String> mismatch(String path, JsonNode wanted, JsonNode value) {
        return switch (wanted.getNodeType()) {
            case OBJECT -> inObject(path, wanted, value);
            case ARRAY -> inArray(path, wanted, value);
            case STRING -> TextPattern.mismatch(path, wanted.asString(), value, words);
            case NUMBER ->
                    value.isNumber() && wanted.decimalValue().compareTo(value.decimalValue()) == 0
                            ? Optional.empty()
                            : differs(path, wanted, value);
            default -> wanted.equals(value) ? Optional.empty() : differs(path, wanted, value);
        };
    }

    private Optional<String> inObject(String path, JsonNode wanted, JsonNode value) {
        if (!value.isObject()) {
            return differs(path, wanted, value);
        }
        for (var member : wanted.properties()) {
            if (member.getKey().equals(MORE)) {
                continue;
            }
            if (!value.has(member.getKey())) {
                return Optional.of(path + "/" + member.getKey() + " is missing");
            }
            var inner =
                    mismatch(
                            path + "/" + member.getKey(),
                            member.getValue(),
                            value.get(member.getKey()));
            if (inner.isPresent()) {
                return inner;
            }
        }
        return wanted.has(MORE)
                ? Optional.empty()
                : value.propertyStream()
                        .map(member -> member.getKey())
                        .filter(name -> !wanted.has(name))
                        .findFirst()
                        .map(name -> path + "/" + name + " is unexpected");
    }

    private Optional<String> inArray(String path, JsonNode wanted, JsonNode value) {
        var size = wanted.size();
        var open = size > 0 && MORE.equals(wanted.get(size - 1).asString(""));
        var fixed = open ? size - 1 : size;
        if (!value.isArray() || value.size() < fixed || (!open && value.size() > fixed)) {
            return differs(path, wanted, value);
        }
        for (int i = 0; i < fixed; i++) {
            var inner = mismatch(path + "/" + i, wanted.get(i), value.get(i));
            if (inner.isPresent()) {
                return inner;
            }
        }
        return Optional.empty();
    }

    static Optional<String> differs(String path, JsonNode wanted, JsonNode value) {
        return Optional.of("%s should be %s but is %s".formatted(path, wanted, value));
    }
}
