package dev.caisson.model;

import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Rule that each value of a slot must keep. All rules of a slot hold, also those that it inherits.
sealed interface SlotRule {
    /// What is wrong with a value in its canonical form.
    Optional<String> complaint(JsonNode value);

    /// Whether every value that keeps another rule keeps this one.
    boolean follows(SlotRule other);

    /// Not below a bound, or not above it.
    record Bound(Datatype type, JsonNode bound, boolean isLeast) implements SlotRule {
        @Override
        public Optional<String> complaint(JsonNode value) {
            var order = compare(value);
            return (isLeast ? order < 0 : order > 0)
                    ? Optional.of(
                            "must be %s %s"
                                    .formatted(isLeast ? "at least" : "at most", bound.asString()))
                    : Optional.empty();
        }

        private int compare(JsonNode value) {
            return type == Datatype.NUMBER || type == Datatype.INTEGER
                    ? value.decimalValue().compareTo(bound.decimalValue())
                    : KeyText.of(type, value).compareTo(KeyText.of(type, bound));
        }

        @Override
        public boolean follows(SlotRule other) {
            return other instanceof Bound that
                    && that.type == type
                    && that.isLeast == isLeast
                    && complaint(that.bound).isEmpty();
        }
    }

    /// Characters of a text.
    record Characters(int min, int max) implements SlotRule {
        @Override
        public Optional<String> complaint(JsonNode value) {
            var text = value.stringValue();
            var length = text.codePointCount(0, text.length());
            if (length < min) {
                return Optional.of(
                        "must have at least %d characters, has %d".formatted(min, length));
            }
            return length > max
                    ? Optional.of("must have at most %d characters, has %d".formatted(max, length))
                    : Optional.empty();
        }

        @Override
        public boolean follows(SlotRule other) {
            return other instanceof Characters that && that.min >= min && that.max <= max;
        }
    }

    /// One of some words.
    record OneOf(List<String> words) implements SlotRule {
        @Override
        public Optional<String> complaint(JsonNode value) {
            return words.contains(value.stringValue())
                    ? Optional.empty()
                    : Optional.of("must be one of " + String.join(", ", words));
        }

        @Override
        public boolean follows(SlotRule other) {
            return other instanceof OneOf that && words.containsAll(that.words);
        }
    }

    /// A schema: of any JSON, or of a text with its regular expression.
    ///
    /// @param source of which the schema was compiled
    record Conforming(JsonNode source, Schema schema) implements SlotRule {
        @Override
        public Optional<String> complaint(JsonNode value) {
            return schema.complaints(value).stream().findFirst();
        }

        @Override
        public boolean follows(SlotRule other) {
            return other instanceof Conforming that && that.source.equals(source);
        }
    }

    /// The rules that a definition gives its slot.
    ///
    /// @throws IllegalArgumentException with a sentence when a rule cannot be used
    static List<SlotRule> of(SlotSpec spec) {
        var rules = new ArrayList<SlotRule>();
        spec.min().ifPresent(least -> rules.add(new Bound(spec.type(), bound(spec, least), true)));
        spec.max().ifPresent(most -> rules.add(new Bound(spec.type(), bound(spec, most), false)));
        spec.length()
                .ifPresent(length ->
                        rules.add(
                                new Characters(
                                        length.min().orElse(0),
                                        length.max().orElse(Integer.MAX_VALUE))));
        spec.values().ifPresent(words -> rules.add(new OneOf(words)));
        spec.regex().ifPresent(regex -> rules.add(conforming(Json.object().put("pattern", regex))));
        spec.schema().ifPresent(schema -> rules.add(conforming(schema)));
        return List.copyOf(rules);
    }

    private static JsonNode bound(SlotSpec spec, JsonNode given) {
        return ValueForm.of(spec.type(), given)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "min and max must each be " + ValueForm.expected(spec.type())));
    }

    private static SlotRule conforming(JsonNode source) {
        return new Conforming(source, Schema.of(source));
    }
}
