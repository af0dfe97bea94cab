package dev.caisson.model;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Mistake in the definition of a class.
///
/// @param type the class
record DefinitionMistake(String type, Optional<String> slot, String message) {
    /// How many are told at once.
    static final int TOLD_MAX = 50;

    private static final int NAME_SHOWN_MAX = 96;

    /// @param mistakes at least one
    static Refusal refusal(List<DefinitionMistake> mistakes) {
        var first = mistakes.getFirst();
        var more = mistakes.size() > 1 ? " (and %d more)".formatted(mistakes.size() - 1) : "";
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "Class %s%s: %s%s"
                        .formatted(
                                shown(first.type()),
                                first.slot().map(slot -> ", slot " + shown(slot)).orElse(""),
                                first.message(),
                                more),
                Map.of(
                        "errors",
                        mistakes.stream()
                                .limit(TOLD_MAX)
                                .map(DefinitionMistake::members)
                                .toList()));
    }

    private Map<String, Object> members() {
        var members = new LinkedHashMap<String, Object>();
        members.put("class", shown(type));
        slot.ifPresent(name -> members.put("slot", shown(name)));
        members.put("message", message);
        return members;
    }

    private static String shown(String name) {
        return name.substring(0, Math.min(name.length(), NAME_SHOWN_MAX));
    }
}
